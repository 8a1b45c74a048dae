// fuzz/keep.cc: writes inputs and findings during a campaign.
#include "fuzz/keep.h"

#include <fmt/format.h>

#include <cerrno>

#include "base/hash.h"
#include "results/whole_file.h"

namespace dlpack_cts::fuzz {
namespace {

std::string_view Bytes(std::span<const uint8_t> input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

}  // namespace

std::string KeptName(std::string_view kind, std::span<const uint8_t> input) {
  return fmt::format("{}-{:016x}", kind, Fnv1a(Bytes(input)));
}

std::string KeepInput(const std::string& folder, std::string_view kind, std::span<const uint8_t> input) {
  std::string path = folder + "/" + KeptName(kind, input);
  errno = WriteWholeFile(path, Bytes(input));
  return errno == 0 ? path : "";
}

}  // namespace dlpack_cts::fuzz
