// fuzz/keep.h: stores inputs and findings, under names that depend on the content.
#ifndef DLPACK_CTS_FUZZ_KEEP_H_
#define DLPACK_CTS_FUZZ_KEEP_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dlpack_cts::fuzz {

/// "crash-1f2e3d4c5b6a7988": equal inputs have equal names in every job.
std::string KeptName(std::string_view kind, std::span<const uint8_t> input);

/// Writes the input to FOLDER/KIND-HASH. Returns the path; empty with errno set if it could not be written.
std::string KeepInput(const std::string& folder, std::string_view kind, std::span<const uint8_t> input);

}  // namespace dlpack_cts::fuzz

#endif  // DLPACK_CTS_FUZZ_KEEP_H_
