#include "base/digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace alder::base {

struct Digest::Context {
    EVP_MD_CTX* evp = EVP_MD_CTX_new();
    Context() = default;
    Context(Context const&) = delete;
    Context& operator=(Context const&) = delete;
    ~Context() { EVP_MD_CTX_free(evp); }
};

Digest::Digest() : context_(std::make_unique<Context>())
{
    if (!context_->evp || EVP_DigestInit_ex(context_->evp, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("SHA-256 is not available");
}

Digest::~Digest() = default;

void Digest::add(void const* bytes, std::size_t count)
{
    if (EVP_DigestUpdate(context_->evp, bytes, count) != 1) throw std::runtime_error("SHA-256 failed");
}

std::string Digest::hex()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned count = 0;
    if (EVP_DigestFinal_ex(context_->evp, bytes.data(), &count) != 1) throw std::runtime_error("SHA-256 failed");
    std::string text;
    for (unsigned i = 0; i < count; ++i) text += fmt::format("{:02x}", bytes[i]);
    return text;
}

} // namespace alder::base
