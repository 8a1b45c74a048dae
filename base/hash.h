// base/hash.h: a hash that is the same in every build, for names on disk and for seeds.
#ifndef DLPACK_CTS_BASE_HASH_H_
#define DLPACK_CTS_BASE_HASH_H_

#include <cstdint>
#include <string_view>

namespace dlpack_cts {

/// FNV-1a with 64 bits. Not for input that an attacker may choose.
constexpr uint64_t Fnv1a(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_HASH_H_
