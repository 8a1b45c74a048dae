// results/limit.h: a limitation, which a probe found: what a library refuses, copies or makes otherwise.
#ifndef DLPACK_CTS_RESULTS_LIMIT_H_
#define DLPACK_CTS_RESULTS_LIMIT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_words.h"
#include "results/fields.h"

namespace dlpack_cts {

/// What happens instead of the exchange that was asked for.
enum class LimitKind : uint8_t {
  kRefused,
  kCopied,     // the elements are copied, although those of the control are shared
  kOtherwise,  // another array is returned than the one that was asked for
};
consteval EnumWords<LimitKind> WordsOf(LimitKind) { return {"refused", "copied", "otherwise"}; }

/// The id of a limitation begins with this.
inline constexpr std::string_view kLimitPrefix = "limit/";

/// One value of one property that an entry point does not support, although the control, which differs in this value
/// alone, is accepted. A line of the worker's output. In a result file it is a Cause.
struct Limit {
  static std::span<const LineField<Limit>> Fields();

  std::string entry;     // "import-object", "export", "table-allocate"
  std::string property;  // "dims"; "every" if the entry point refuses every exchange
  std::string value;     // "0"; empty for "every"
  LimitKind kind = LimitKind::kRefused;
  bool whole = false;                      // the entry point refuses every exchange, or every kind of object but one
  std::string message;                     // one sentence, which ends with the value
  std::string answer;                      // class and text of the exception, or what was seen instead
  std::string control;                     // what is accepted; empty if nothing is
  std::vector<std::string> triggers = {};  // of the recipe
  std::vector<std::string> control_triggers = {};  // of the control
  std::vector<std::string> alone_triggers = {};    // of two values together: of what is accepted with one of them
  std::string example = {};                        // the recipe in one line
  nlohmann::json recipe = {};

  /// "limit/import-object/dims=0".
  std::string Id() const;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_LIMIT_H_
