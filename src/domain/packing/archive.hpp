#pragma once
// Values as bytes, for the way from rank to rank of one program on machines of one kind: no names, no versions, no byte order.
//
// What a struct holds is listed once, in fields.hpp, by a structured binding that no longer compiles when the struct gains a field; so none can be
// forgotten. (A library that counts fields by itself would do too; Boost.PFR's first package in Debian 12 pushes out the Boost that other
// packages need.)

#include "base/error.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace alder::domain {

/// True for types without padding or pointers, arrays of which are copied as they are.
template <class T> inline constexpr bool plainBytes = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T, std::size_t N> inline constexpr bool plainBytes<std::array<T, N>> = plainBytes<T>;

class Packer {
public:
    template <class... T> void operator()(T const&... values) { (put(values), ...); }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

private:
    void putBytes(void const* from, std::size_t count)
    {
        if (count == 0) return;
        std::size_t const at = bytes_.size();
        bytes_.resize(at + count);
        std::memcpy(bytes_.data() + at, from, count);
    }
    void putCount(std::size_t count)
    {
        auto const wide = static_cast<std::uint64_t>(count);
        putBytes(&wide, sizeof wide);
    }
    template <class T> void put(T const& value)
    {
        if constexpr (plainBytes<T>)
            putBytes(&value, sizeof value);
        else
            visitFields(value, *this);
    }
    void put(std::string const& text)
    {
        putCount(text.size());
        putBytes(text.data(), text.size());
    }
    template <class T> void put(std::vector<T> const& values)
    {
        putCount(values.size());
        if constexpr (plainBytes<T>)
            putBytes(values.data(), values.size() * sizeof(T));
        else
            for (T const& value : values) put(value);
    }
    template <class T, std::size_t N>
    requires(!plainBytes<T>) void put(std::array<T, N> const& values)
    {
        for (T const& value : values) put(value);
    }
    template <class A, class B> void put(std::pair<A, B> const& both) { (*this)(both.first, both.second); }
    template <class T> void put(std::optional<T> const& value)
    {
        put(value.has_value());
        if (value) put(*value);
    }
    template <class K, class V> void put(std::map<K, V> const& values)
    {
        putCount(values.size());
        for (auto const& entry : values) (*this)(entry.first, entry.second);
    }

    std::vector<std::byte> bytes_;
};

/// Reads what a Packer wrote, in the same order. Throws base::RunFailed where the bytes end too early.
class Unpacker {
public:
    explicit Unpacker(std::vector<std::byte> const& bytes) : bytes_(bytes) {}
    template <class... T> void operator()(T&... values) { (get(values), ...); }
    [[nodiscard]] bool atEnd() const { return at_ == bytes_.size(); }

private:
    void getBytes(void* to, std::size_t count)
    {
        require(count);
        if (count > 0) std::memcpy(to, bytes_.data() + at_, count);
        at_ += count;
    }
    void require(std::size_t count) const
    {
        if (count > bytes_.size() - at_) throw base::RunFailed("what rank 0 sent ends too early: do all ranks run the same program?");
    }
    /// Each element takes a byte at least, so that a wrong count is found before memory is asked for.
    std::size_t getCount()
    {
        std::uint64_t wide = 0;
        getBytes(&wide, sizeof wide);
        require(static_cast<std::size_t>(wide));
        return static_cast<std::size_t>(wide);
    }
    template <class T> void get(T& value)
    {
        if constexpr (plainBytes<T>)
            getBytes(&value, sizeof value);
        else
            visitFields(value, *this);
    }
    void get(std::string& text)
    {
        text.resize(getCount());
        getBytes(text.data(), text.size());
    }
    template <class T> void get(std::vector<T>& values)
    {
        values.clear();
        values.resize(getCount());
        if constexpr (plainBytes<T>)
            getBytes(values.data(), values.size() * sizeof(T));
        else
            for (T& value : values) get(value);
    }
    template <class T, std::size_t N>
    requires(!plainBytes<T>) void get(std::array<T, N>& values)
    {
        for (T& value : values) get(value);
    }
    template <class A, class B> void get(std::pair<A, B>& both) { (*this)(both.first, both.second); }
    template <class T> void get(std::optional<T>& value)
    {
        bool given = false;
        get(given);
        value.reset();
        if (given) get(value.emplace());
    }
    template <class K, class V> void get(std::map<K, V>& values)
    {
        values.clear();
        for (std::size_t left = getCount(); left > 0; --left) {
            std::pair<K, V> entry;
            get(entry);
            values.insert(std::move(entry));
        }
    }

    std::vector<std::byte> const& bytes_;
    std::size_t at_ = 0;
};

} // namespace alder::domain
