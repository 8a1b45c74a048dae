// runner/campaign/table.cc: writes the table at the end of a campaign.
#include "runner/campaign/table.h"

#include <fmt/format.h>

#include <array>

#include "reports/text.h"

namespace dlpack_cts::runner {

std::string CampaignTable(const CampaignState& state, const ExchangeCounts& now, double cpu_seconds,
                          const CauseBook& book, const std::string& folder) {
  std::string text = fmt::format("{} {} {}, seed {}, {} legs\n", state.target, state.library, state.library_version,
                                 state.seed, state.legs);
  text += fmt::format("  {:<14}{:>14}{:>14}\n", "", "now", "in all");
  const auto both = [&](std::string_view name, int64_t ExchangeCounts::* count) {
    text += fmt::format("  {:<14}{:>14}{:>14}\n", name, now.*count, state.counts.*count);
  };
  both("exchanges", &ExchangeCounts::exchanges);
  both("conclusive", &ExchangeCounts::conclusive);
  both("refused", &ExchangeCounts::refused);
  both("inconclusive", &ExchangeCounts::inconclusive);
  text += fmt::format("  {:<14}{:>14.1f}{:>14.1f}\n", "CPU seconds", cpu_seconds, state.cpu_seconds);
  std::array<int64_t, kEnumerators<Verdict>> by_verdict{};
  for (const BookedCause& cause : book.causes()) ++by_verdict.at(static_cast<size_t>(cause.verdict));
  text += "causes:";
  for (size_t i = 0; i < by_verdict.size(); ++i) {
    if (by_verdict.at(i) > 0) text += fmt::format(" {} {},", by_verdict.at(i), ToText(static_cast<Verdict>(i)));
  }
  text += fmt::format(" {} of them listed, {} new\n", book.CountListed(), book.CountNew());
  for (const BookedCause& cause : book.causes()) {
    if (cause.listed) continue;
    text += fmt::format("  {} {} {}: {}\n    {}\n", cause.is_new ? "new:  " : "known:", ToText(cause.verdict),
                        cause.rule, OneLine(cause.sentence), cause.folder.empty() ? "" : folder + "/" + cause.folder);
  }
  return text;
}

}  // namespace dlpack_cts::runner
