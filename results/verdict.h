// results/verdict.h: the ten verdicts.
#ifndef DLPACK_CTS_RESULTS_VERDICT_H_
#define DLPACK_CTS_RESULTS_VERDICT_H_

#include <cstdint>
#include <string_view>

namespace dlpack_cts {

enum class Verdict : uint8_t { kPass, kFail, kWarn, kNote, kCrash, kTimeout, kLeak, kUnsafe, kSkip, kBlocked };
/// kBlocked is the last one: verdict.cc has a word for each up to it.
inline constexpr int kVerdicts = static_cast<int>(Verdict::kBlocked) + 1;

std::string_view ToText(Verdict verdict);
/// False for a text that is not a verdict.
bool FromText(std::string_view text, Verdict* verdict);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_RESULTS_VERDICT_H_
