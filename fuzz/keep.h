// fuzz/keep.h: keeps inputs that showed something, named after what they are.
#ifndef DLPACK_CTS_FUZZ_KEEP_H_
#define DLPACK_CTS_FUZZ_KEEP_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dlpack_cts::fuzz {

/// "crash-1f2e3d4c5b6a7988": equal inputs have equal names, whoever finds them.
std::string KeptName(std::string_view kind, std::span<const uint8_t> input);

/// Writes the whole file, or none of it. False with errno set.
bool WriteWhole(const std::string& path, std::string_view bytes);

/// Keeps the input as FOLDER/KIND-HASH. Gives its path; empty with errno set where it could not be written.
std::string KeepInput(const std::string& folder, std::string_view kind, std::span<const uint8_t> input);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_KEEP_H_
