// harness/reproducer/watched.cc: knows which steps may record a fact.
#include "harness/reproducer/watched.h"

#include <algorithm>
#include <bitset>
#include <string_view>

#include "harness/recipe/life.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {
namespace {

/// A set of operations.
using Ops = std::bitset<kEnumerators<Op>>;

/// The only operations that record the fact: those whose rows name the longest beginning of its key. Empty: any
/// operation may record it.
Ops RecordersOf(std::string_view fact) {
  Ops recorders;
  size_t longest = 0;
  for (const OpRow& row : kOpRows) {
    for (std::string_view starts : {row.notes, row.further_notes}) {
      while (!starts.empty()) {
        const std::string_view start = starts.substr(0, starts.find(' '));
        starts.remove_prefix(std::min(starts.size(), start.size() + 1));
        if (!fact.starts_with(start) || start.size() < longest) continue;
        if (start.size() > longest) recorders.reset();
        longest = start.size();
        recorders.set(static_cast<size_t>(row.op));
      }
    }
  }
  return recorders;
}

/// The step that ended the exchange. The message of a crash names it; the ledger has the step of an access to forbidden
/// memory.
Op FatalStep(const ReproducerInput& input) {
  constexpr std::string_view kDuring = " during ";
  const size_t at = input.message.find(kDuring);
  std::string word = input.verdict == "UNSAFE" ? input.touched_in : "";
  if (at != std::string::npos) {
    const size_t start = at + kDuring.size();
    const size_t end = input.message.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", start);
    word = input.message.substr(start, end == std::string::npos ? end : end - start);
  }
  const auto row = std::find_if(kOpRows.begin(), kOpRows.end(), [&](const OpRow& one) { return one.word == word; });
  return row == kOpRows.end() ? Op::kEnd : row->op;
}

/// The steps up to the last one of these operations.
std::span<const Step> UpTo(std::span<const Step> life, Ops ops) {
  const auto last = std::find_if(life.rbegin(), life.rend(),
                                 [&](const Step& step) { return ops.test(static_cast<size_t>(step.op)); });
  return last == life.rend() ? life : life.first(static_cast<size_t>(life.rend() - last));
}

}  // namespace

std::string PlainKey(std::string fact) {
  std::erase_if(fact, [](char c) { return c >= '0' && c <= '9'; });
  return fact;
}

std::vector<std::string> CrashOf(const ReproducerInput& input) {
  std::vector<std::string> ends;
  if (input.verdict == "TIMEOUT") ends = {"timeout"};
  if (input.verdict == "UNSAFE") ends = {"SIGSEGV"};
  if (input.verdict == "CRASH" && !input.ended.empty()) ends = {input.ended};
  if (input.touched && !ends.empty() && ends.front() != "SIGSEGV") ends.emplace_back("SIGSEGV");
  return ends;
}

std::string WatchedFact(const ReproducerInput& input) {
  if (!CrashOf(input).empty()) return "";
  constexpr std::string_view kException = "exception";
  if (!input.fact.ends_with(kException) || input.wanted != "BufferError") return input.fact;
  return input.fact.substr(0, input.fact.size() - kException.size()) + "is_buffer_error";
}

Life LifeOf(const ReproducerInput& input) {
  const std::span<const Step> life = input.recipe.life();
  const std::string fact = PlainKey(WatchedFact(input));
  if (input.every_fact) return {life, true};
  if (fact.empty()) {
    const Op fatal = FatalStep(input);
    return {UpTo(life, Ops().set(static_cast<size_t>(fatal))), !HasStep(input.recipe, fatal)};
  }
  const Ops recorders = RecordersOf(fact);
  // The final drop, after the last step, records some facts.
  if (recorders.none() || recorders.test(static_cast<size_t>(Op::kEnd))) return {life, true};
  return {UpTo(life, recorders), false};
}

}  // namespace dlpack_cts
