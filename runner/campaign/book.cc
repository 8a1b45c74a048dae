// runner/campaign/book.cc: groups what the legs of a campaign report into causes, and tells known ones from new ones.
#include "runner/campaign/book.h"

#include <algorithm>
#include <utility>

#include "reports/evidence.h"
#include "results/tally.h"
#include "runner/run/assemble.h"
#include "runner/run/finding.h"
#include "runner/verdict/causes.h"

namespace dlpack_cts::runner {
namespace {

constexpr LineField<BookedCause> kBookedCause[] = {
    Always<&BookedCause::id>("id", "id of the cause"),
    Always<&BookedCause::verdict>("verdict", "its verdict"),
    Always<&BookedCause::rule>("rule", "the violated rule"),
    Always<&BookedCause::sentence>("sentence", "what is wrong"),
    Always<&BookedCause::folder>("folder", "its files; empty if it is listed"),
    Always<&BookedCause::count>("count", "exchanges that showed it"),
    Always<&BookedCause::seconds>("seconds", "seconds of the campaign until it was first seen"),
    Always<&BookedCause::listed>("listed", "whether the expectations list it"),
};

struct BookFile {
  static std::span<const LineField<BookFile>> Fields();

  std::vector<BookedCause> causes;
  std::vector<Finding> findings;
};

constexpr LineField<BookFile> kBook[] = {
    Always<&BookFile::causes>("causes"),
    Always<&BookFile::findings>("findings"),
};

std::span<const LineField<BookFile>> BookFile::Fields() { return kBook; }

// Texts of a library may contain values, so that each finding looks like another kind.
constexpr size_t kMostFindings = 4000;

bool EndsProcess(Verdict verdict) {
  return verdict == Verdict::kCrash || verdict == Verdict::kTimeout || verdict == Verdict::kUnsafe;
}

/// Findings with the same key are one kind.
std::string KindOf(const Finding& finding) {
  return CauseId(finding) + '\n' + finding.case_id + '\n' + finding.fact + '\n' + finding.rule + '\n' +
         finding.message + '\n' + std::string(ToText(finding.observed));
}

/// A deviation for which the worker found no cause.
Cause CauseOf(const Result& result) {
  Cause cause;
  cause.id = "case/" + result.seen.case_id;
  cause.rule = result.breached.empty() ? result.rules.front() : result.breached.front();
  cause.verdict = result.verdict;
  cause.case_id = result.seen.case_id;
  cause.cases = {result.seen.case_id};
  cause.fact = result.seen.fact;
  cause.message = result.seen.message;
  cause.wanted = result.seen.wanted;
  cause.got = result.seen.got;
  cause.words = result.seen.words;
  cause.recipe = result.seen.recipe;
  cause.count = 1;
  return cause;
}

}  // namespace

std::span<const LineField<BookedCause>> BookedCause::Fields() { return kBookedCause; }

std::vector<NewCause> CauseBook::Add(const LegReport& report, double seconds) {
  Rounds rounds = RoundsOf(catalogue_, assignment_, report);
  // What an earlier leg found may mask what this one found.
  for (const auto& [kind, finding] : findings_) rounds.Find(finding);
  Keep(report.findings);
  const std::string& version = report.outcome.library_version;
  Attributed attributed = rounds.Conclude([&](Attributed& all) {
    for (Result& result : all.results) Complete(assignment_, version, expectations_, result);
  });
  if (!trouble_) trouble_ = rounds.trouble();
  known_ = attributed.causes;
  for (const Result& result : attributed.results) {
    if (IsDeviation(result.verdict) && result.cause.empty()) attributed.causes.push_back(CauseOf(result));
  }
  Run run;
  run.results = std::move(attributed.results);
  std::vector<NewCause> found;
  for (const Cause& cause : attributed.causes) {
    if (!IsDeviation(cause.verdict)) continue;
    if (BookedCause* const known = Find(cause.id)) {
      // Each leg leaves it out, so minimising its example changed a value that does not matter.
      if (cause.count > known->count && EndsProcess(cause.verdict)) widely_.insert(cause.id);
      known->count = std::max(known->count, cause.count);
      continue;
    }
    const bool listed = expectations_.FindAny(cause, version) != nullptr;
    const std::string sentence = Headline(run, cause);
    causes_.push_back({.id = cause.id,
                       .verdict = cause.verdict,
                       .rule = cause.rule,
                       .sentence = sentence,
                       .folder = {},
                       .count = cause.count,
                       .seconds = seconds,
                       .listed = listed,
                       .is_new = !listed});
    if (!listed) found.push_back({cause, sentence, CaseFor(catalogue_, run, cause)});
  }
  return found;
}

void CauseBook::SetFolder(const std::string& id, const std::string& folder) {
  if (BookedCause* const cause = Find(id)) cause->folder = folder;
}

Avoid CauseBook::LeftOut(const std::vector<CaseInfo>& cases, bool steers) const {
  std::vector<dlpack_cts::LeftOut> left_out;
  for (const Cause& cause : known_) {
    if (cause.triggers.empty() || cause.at_times || !cause.earlier.empty() || !IsDeviation(cause.verdict)) continue;
    if (steers || EndsProcess(cause.verdict)) {
      left_out.push_back({cause.side, cause.triggers, cause.recipe, widely_.contains(cause.id)});
    }
  }
  Avoid avoid;
  if (left_out.empty()) return avoid;
  for (const CaseInfo& info : cases) avoid[info.id] = left_out;
  return avoid;
}

int64_t CauseBook::CountNew() const { return std::ranges::count_if(causes_, &BookedCause::is_new); }

int64_t CauseBook::CountListed() const { return std::ranges::count_if(causes_, &BookedCause::listed); }

nlohmann::json CauseBook::ToJson() const {
  BookFile book = {.causes = causes_, .findings = {}};
  for (const auto& [kind, finding] : findings_) book.findings.push_back(finding);
  return dlpack_cts::ToJson(book);
}

void CauseBook::Read(const nlohmann::json& json) {
  const BookFile book = FromJson<BookFile>(json);
  causes_ = book.causes;
  Keep(book.findings);
  known_ = CausesOf(catalogue_, assignment_.library.Claims("array_api"), book.findings);
}

std::vector<BookedCause> CauseBook::Merge(const nlohmann::json& other) {
  const BookFile book = FromJson<BookFile>(other);
  Keep(book.findings);
  std::vector<BookedCause> found;
  for (const BookedCause& cause : book.causes) {
    if (BookedCause* const known = Find(cause.id)) {
      known->count += cause.count;
      continue;
    }
    found.push_back(cause);
    BookedCause& here = causes_.emplace_back(cause);
    here.folder.clear();
    here.is_new = !cause.listed;
  }
  return found;
}

BookedCause* CauseBook::Find(const std::string& id) {
  const auto found = std::ranges::find(causes_, id, &BookedCause::id);
  return found == causes_.end() ? nullptr : &*found;
}

void CauseBook::Keep(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    const auto [known, is_new] = findings_.try_emplace(KindOf(finding), finding);
    if (!is_new) known->second.count += finding.count;
    if (findings_.size() > kMostFindings) findings_.erase(known);
  }
}

}  // namespace dlpack_cts::runner
