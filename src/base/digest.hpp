#pragma once
// SHA-256 of whatever bytes are fed in, for naming inputs and states.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace alder::base {

class Digest {
public:
    Digest();
    ~Digest();
    Digest(Digest const&) = delete;
    Digest& operator=(Digest const&) = delete;

    void add(void const* bytes, std::size_t count);
    void add(std::string_view text) { add(text.data(), text.size()); }
    /// The bytes of an array as they are in memory.
    template <class T> void addArray(std::vector<T> const& values)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        add(values.data(), values.size() * sizeof(T));
    }
    /// 64 hexadecimal digits of all that was added. The digest can't be added to afterwards.
    [[nodiscard]] std::string hex();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

} // namespace alder::base
