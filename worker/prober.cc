// worker/prober.cc: applies mutants and declarations, and probes the libraries.
#include "worker/prober.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/failure.h"
#include "harness/case/claims.h"
#include "mutants/pair.h"
#include "worker/job/declared.h"
#include "worker/probe/adapter_check.h"
#include "worker/probe/limits.h"
#include "worker/probe/pair.h"
#include "worker/probe/pair_lines.h"
#include "worker/probe/probe.h"
#include "worker/subject_factory.h"

namespace dlpack_cts::worker {
namespace {

/// NULL for the empty name, which is the reference itself.
const Mutant* Named(const std::string& name) { return name.empty() ? nullptr : FindMutant(name); }

}  // namespace

void Prober::Prepare() {
  if (setup_.libraries == nullptr) return;
  PrepareOne(Role::kProducer);
  if (setup_.job.pair) PrepareOne(Role::kConsumer);
}

Subject& Prober::SubjectOf(Role role) const {
  return role == Role::kConsumer ? *setup_.libraries->subjects.partner : setup_.libraries->subjects.subject;
}

const SubjectSource& Prober::SourceOf(Role role) const {
  return role == Role::kConsumer && setup_.job.pair.has_value() ? *setup_.job.pair : setup_.job.subject;
}

Declared Prober::Declares(Role role) const {
  const nlohmann::json& profile = SourceOf(role).profile;
  // A library that cannot name its version is reported when the session greets.
  const auto version = [&]() -> std::string {
    try {
      return SubjectOf(role).Info().version;
    } catch (...) {
      return "";
    }
  };
  return DeclaredOf(profile, profile.contains("when") ? version() : "");
}

void Prober::PrepareOne(Role role) {
  Subject& subject = SubjectOf(role);
  Profile said{};
  said.declared = Declares(role);
  Amend(role, said);
  subject.Follow(said.declared);
  Reference* const instance = subject.AsReference();
  if (setup_.job.mutants.empty() || instance == nullptr) return;
  Activate(nullptr, *instance, Named(setup_.job.shape));
  for (const Mutant* const mutant : MutantsIn(role)) mutant->ApplyTo(instance->behaviour);
}

std::vector<const Mutant*> Prober::MutantsIn(Role role) const {
  const bool without = setup_.job.mutated == (role == Role::kConsumer ? "producer" : "consumer");
  return without ? std::vector<const Mutant*>() : MutantsOf(setup_.mutant);
}

void Prober::Amend(Role role, Profile& profile) const {
  if (const Mutant* const shape = Named(setup_.job.shape)) Declare(*shape, profile);
  for (const Mutant* const mutant : MutantsIn(role)) Declare(*mutant, profile);
}

Profile Prober::Probe() {
  if (setup_.crash_record.probed != 0)
    return setup_.crash_record.profile;  // by an earlier worker that crashed afterwards
  const std::optional<Profile> consumer = setup_.job.pair ? std::optional(ProbeOne(Role::kConsumer)) : std::nullopt;
  const Profile producer = ProbeOne(Role::kProducer);
  setup_.crash_record.profile = consumer ? PairOf(producer, *consumer) : producer;
  setup_.crash_record.probed = 1;
  return setup_.crash_record.profile;
}

void Prober::Ask(Role role) {
  Subject& subject = SubjectOf(role);
  // If a worker crashed in a probe, its successor continues after that probe.
  Profile profile = setup_.crash_record.probe == 0 ? Profile{} : setup_.crash_record.profile;
  profile.claims = SourceOf(role).claims;
  profile.declared = Declares(role);
  std::string complaint;
  for (const std::string& lacked : subject.Lacks()) {
    const std::optional<Claim> claim = ClaimFromText(lacked);
    if (claim) profile.claims &= ~(1u << static_cast<uint32_t>(*claim));
    // What is exported again was imported before.
    if (claim == Claim::kConsumer) profile.claims &= ~(1u << static_cast<uint32_t>(Claim::kReexport));
    if (!claim) complaint = "the adapter's lacks() returned " + Quoted(lacked) + ", but there is no such claim";
  }
  if (complaint.empty()) complaint = subject.Take(Complaint::kReading);
  if (!complaint.empty())
    std::snprintf(setup_.crash_record.complaint, sizeof(setup_.crash_record.complaint), "%s", complaint.c_str());
  Amend(role, profile);
  if (subject.IsPython()) profile.claims |= 1u << static_cast<uint32_t>(Claim::kPython);
  if (setup_.crash_record.probe == 0) ExpectAll(profile);
  setup_.crash_record.profile = profile;
}

Profile Prober::ProbeOne(Role role) {
  const bool plain = MutantsIn(role).empty();
  if (const auto known = unmutated_.find(role); plain && known != unmutated_.end()) return known->second;
  SetDoing(setup_.crash_record, "probing");
  const int mutant = setup_.crash_record.head.mutant_index;
  if (setup_.libraries != nullptr) {
    Ask(role);
  } else {
    const auto ask = [&](const Reporter&) { Ask(role); };
    const ChildResult result = server_.Run({.seconds = setup_.job.case_seconds, .work = ask});
    if (result.ending.Crashed()) server_.EndAs(result.ending);
  }
  BlameComplaint();
  Profile profile = setup_.crash_record.profile;
  int next = setup_.crash_record.probe;
  while (next < ProbeCount() && server_.Stillborn() == nullptr) {
    setup_.crash_record.probe = next;
    setup_.crash_record.profile = profile;
    const auto probe = [&](const Reporter&) {
      Subject& subject = SubjectOf(role);
      Engine engine(subject);
      RunProbes(subject, engine, setup_.libraries->reference_run, setup_.crash_record);
    };
    const ChildResult result = server_.Run({.seconds = setup_.job.case_seconds, .work = probe});
    if (!IsIntact(setup_.crash_record) || setup_.crash_record.probe < next ||
        setup_.crash_record.probe > ProbeCount()) {
      Clear(setup_.crash_record);  // the library overwrote it, so nothing of this child is used
      setup_.crash_record.head.mutant_index = mutant;
      setup_.crash_record.profile = profile;
      setup_.crash_record.probe = next;
      SkipProbe(setup_.crash_record);
    } else if (result.ending.Crashed()) {
      SkipProbe(setup_.crash_record);
    }
    next = setup_.crash_record.probe;
    profile = setup_.crash_record.profile;
  }
  setup_.crash_record.probe = 0;
  BlameComplaint();
  if (plain) unmutated_[role] = profile;
  return profile;
}

std::vector<Limit> Prober::Limits() {
  constexpr int kMostCrashes = 3;  // what crashes or hangs is reported by cases, and takes time
  const Profile profile = setup_.crash_record.profile;
  const int mutant = setup_.crash_record.head.mutant_index;
  std::vector<Limit> limits;
  int crashes = 0;
  for (int next = 0; next < LimitCount() && crashes < kMostCrashes && server_.Stillborn() == nullptr;) {
    setup_.crash_record.probe = next;
    const auto ask = [&](const Reporter& reporter) {
      const auto report = [&](const Limit& limit) {
        reporter.out.Write({{"type", "limit"}, {"limit", ToJson(limit)}});
      };
      const Role consumer = setup_.job.pair ? Role::kConsumer : Role::kProducer;
      Engine engine(SubjectOf(Role::kProducer), SubjectOf(consumer));
      FindLimits(SubjectOf(Role::kProducer), engine, setup_.libraries->reference_run, setup_.crash_record, report);
    };
    const ChildResult result = server_.Run({.seconds = setup_.job.case_seconds, .work = ask});
    for (const nlohmann::json& line : result.lines) {
      if (!line.contains("limit")) continue;
      if (auto limit = IfValid([&] { return FromJson<Limit>(line["limit"]); })) limits.push_back(*std::move(limit));
    }
    const bool intact = IsIntact(setup_.crash_record) && setup_.crash_record.probe >= next;
    next = intact ? std::min(setup_.crash_record.probe, LimitCount()) : next;
    if (result.ending.Crashed() || !intact) ++crashes, ++next;
    if (!intact) Clear(setup_.crash_record);
  }
  setup_.crash_record.head.mutant_index = mutant;
  setup_.crash_record.profile = profile;
  setup_.crash_record.probe = 0;
  setup_.crash_record.probed = 1;
  return limits;
}

ProfileLines Prober::PairLines() {
  const Profile profile = setup_.crash_record.profile;
  const int mutant = setup_.crash_record.head.mutant_index;
  const auto ask = [&](const Reporter& reporter) {
    FindPairLines(
        SubjectOf(Role::kProducer), SubjectOf(Role::kConsumer), setup_.libraries->reference_run, setup_.crash_record,
        [&](const ProfileLine& line) { reporter.out.Write({{"type", "pair-line"}, {"line", ToJson(line)}}); });
  };
  ProfileLines lines;
  for (const nlohmann::json& line : server_.Run({.seconds = setup_.job.case_seconds, .work = ask}).lines) {
    if (!line.contains("line")) continue;
    if (auto known = IfValid([&] { return FromJson<ProfileLine>(line["line"]); })) lines.push_back(*std::move(known));
  }
  if (!IsIntact(setup_.crash_record)) Clear(setup_.crash_record);
  setup_.crash_record.head.mutant_index = mutant;
  setup_.crash_record.profile = profile;
  setup_.crash_record.probe = 0;
  setup_.crash_record.probed = 1;
  return lines;
}

/// Throws the adapter error in the crash record, if there is one.
void Prober::BlameComplaint() const {
  setup_.crash_record.complaint[sizeof(setup_.crash_record.complaint) - 1] = '\0';
  if (setup_.crash_record.complaint[0] == '\0') return;
  throw Failure(setup_.crash_record.complaint,
                NeedsPython(setup_.job.subject)
                    ? "docs/adapters.md lists the functions of an adapter and what they return"
                    : "docs/plugins.md lists the functions of a plug-in and what they return");
}

}  // namespace dlpack_cts::worker
