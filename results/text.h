// results/text.h: makes any text from outside valid and limits its length, and names signals.
#ifndef DLPACK_CTS_RESULTS_TEXT_H_
#define DLPACK_CTS_RESULTS_TEXT_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace dlpack_cts {

/// Most bytes of one text in a line of JSON, a page or an XML file.
inline constexpr size_t kLongText = size_t{64} << 10;

/// The length of the well-formed UTF-8 character at the start of the text, or 0: no surrogates, no overlong forms, no
/// XML non-characters. The text must not be empty.
size_t CharacterLength(std::string_view text);

/// The first `limit` bytes, truncated between characters, with a note of the full length: "abc... (10485760 bytes)".
std::string Cut(std::string_view text, size_t limit);

/// "SIGSEGV", or "signal 64" for a signal without a name.
std::string SignalName(int signal);

/// One line in ASCII, without newline. Invalid UTF-8 is replaced, and texts longer than kLongText are truncated.
std::string DumpLine(const nlohmann::json& json);

/// The message of a case that could not run.
inline std::string CouldNotRun(const std::string& reason) { return "could not run: " + reason; }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_TEXT_H_
