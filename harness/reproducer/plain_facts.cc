// harness/reproducer/plain_facts.cc: knows the facts that a short script can watch.
#include "harness/reproducer/plain_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace dlpack_cts {
namespace {

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace

std::string EndingOf(std::string_view fact) {
  constexpr std::string_view kCalls[] = {"import.", "export.", "source.device_call."};
  if (fact == "source.device_call") return "outcome";
  for (const std::string_view call : kCalls) {
    if (!fact.starts_with(call)) continue;
    const std::string_view ending = fact.substr(call.size());
    if (IsOneOf(ending, {"outcome", "exception", "message", "is_buffer_error", "is_type_error"}))
      return std::string(ending);
  }
  return "";
}

bool IsField(std::string_view fact, const Request& request) {
  const abi::DLDataType& dtype = request.dtype;
  const bool whole = dtype.lanes == 1 && dtype.bits % 8 == 0 && dtype.bits > 0;
  if (fact == "export.changed") return true;
  if (fact == "export.elements") return whole && request.device.device_type == abi::kDLCPU;
  return IsOneOf(
      fact, {"export.versioned", "export.has_deleter", "export.null_data", "export.null_shape", "export.null_strides",
             "export.device", "export.ndim", "export.dtype", "export.shape", "export.strides", "export.byte_offset",
             "export.alignment", "export.data_alignment", "export.points_at_source", "export.version", "export.flags"});
}

bool IsDescribed(std::string_view fact) {
  return IsOneOf(fact, {"import.dtype", "import.ndim", "import.shape", "import.strides", "import.device",
                        "import.writable", "import.has_pointer"});
}

std::vector<NamedDataType> TypesIn(std::string_view value) {
  std::vector<NamedDataType> found;
  for (const NamedDataType& type : DataTypes()) {
    const std::string text = fmt::format("({}, {}, {})", type.dtype.code, type.dtype.bits, type.dtype.lanes);
    if (value.find(text) != std::string_view::npos) found.push_back(type);
  }
  return found;
}

}  // namespace dlpack_cts
