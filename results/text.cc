// results/text.cc: makes any text from outside fit to be kept.
#include "results/text.h"

#include <cstdint>
#include <cstring>
#include <iterator>

namespace dlpack_cts {
namespace {

bool HasLongText(const nlohmann::json& json) {
  if (json.is_string()) return json.get_ref<const std::string&>().size() > kLongText;
  if (!json.is_structured()) return false;
  for (const auto& [key, value] : json.items()) {
    if (key.size() > kLongText || HasLongText(value)) return true;
  }
  return false;
}

nlohmann::json WithoutLongTexts(const nlohmann::json& json) {
  if (json.is_string()) return Cut(json.get_ref<const std::string&>(), kLongText);
  if (!json.is_structured()) return json;
  nlohmann::json cut = json.is_array() ? nlohmann::json::array() : nlohmann::json::object();
  for (const auto& [key, value] : json.items()) {
    if (json.is_array()) {
      cut.push_back(WithoutLongTexts(value));
    } else {
      cut[Cut(key, kLongText)] = WithoutLongTexts(value);
    }
  }
  return cut;
}

}  // namespace

size_t CharacterLength(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  uint32_t code = first & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool allowed = code >= kSmallest[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) &&
                       code != 0xFFFE && code != 0xFFFF;
  return allowed ? length : 0;
}

std::string Cut(std::string_view text, size_t limit) {
  if (text.size() <= limit) return std::string(text);
  size_t end = limit;
  while (end > 0 && limit - end < 3 && (static_cast<uint8_t>(text[end]) & 0xC0u) == 0x80u) --end;
  return std::string(text.substr(0, end)) + "... (" + std::to_string(text.size()) + " bytes)";
}

std::string SignalName(int signal) {
  // In the order of their numbers, from 1. sigabbrev_np() is newer than the glibc that the wheel is built for.
  static constexpr const char* kNames[] = {"HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",  "FPE",
                                           "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM", "STKFLT",
                                           "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",  "XCPU",
                                           "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR",  "SYS"};
  const bool named = signal >= 1 && signal <= static_cast<int>(std::size(kNames));
  return named ? std::string("SIG") + kNames[signal - 1] : "signal " + std::to_string(signal);
}

std::string DumpLine(const nlohmann::json& json) {
  constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
  return HasLongText(json) ? WithoutLongTexts(json).dump(-1, ' ', true, kReplace) : json.dump(-1, ' ', true, kReplace);
}

}  // namespace dlpack_cts
