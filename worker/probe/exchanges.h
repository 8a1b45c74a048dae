// worker/probe/exchanges.h: the simple exchanges that probes vary, and whether the subject accepted them.
#ifndef DLPACK_CTS_WORKER_PROBE_EXCHANGES_H_
#define DLPACK_CTS_WORKER_PROBE_EXCHANGES_H_

#include <cstdio>
#include <string>

#include "engine/engine.h"
#include "harness/case/case.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"
#include "worker/process/crash_record.h"
#include "worker/process/exchange_clock.h"
#include "worker/run/reference_run.h"

namespace dlpack_cts::worker {

class Exchanges {
 public:
  Exchanges(Subject& subject, Engine& engine, ReferenceRun& reference_run, CrashRecord& crash_record)
      : subject_(subject),
        engine_(engine),
        reference_run_(reference_run),
        crash_record_(crash_record),
        profile_(crash_record.profile) {}

 protected:
  /// The reference has no adapter: errors of a mutant are not an adapter's.
  bool HasAdapter() const { return subject_.AsReference() == nullptr; }

  /// An adapter that cannot read the default array cannot read any array. Then cases about values would never fail.
  void Complain(const std::string& complaint) {
    if (!HasAdapter()) return;
    if (crash_record_.complaint[0] == '\0')
      std::snprintf(crash_record_.complaint, sizeof(crash_record_.complaint), "%s", complaint.c_str());
  }

  /// An exception that is not a refusal counts as "yes", so that the cases run into it.
  static bool Takes(const Refusal& answer) {
    return answer.outcome == Outcome::kAccepted || answer.ends_programs != 0 || answer.stumbled != 0;
  }

  bool Imports(Recipe recipe, Refusal* refusal = nullptr) {
    if (!profile_.Claims(Claim::kConsumer)) return false;
    if (profile_.import_kills != 0) return Unknown();
    return Taken(recipe, refusal);
  }

  bool Taken(Recipe& recipe, Refusal* refusal) { return Taken(recipe, refusal, profile_); }

  /// The same, in the way and in the memory that `ways` says.
  bool Taken(Recipe& recipe, Refusal* refusal, const Profile& ways) {
    FollowWays(ways, recipe);
    Run(recipe);
    if (refusal != nullptr) *refusal = crash_record_.ledger.imports[0].import;
    return Takes(crash_record_.ledger.imports[0].import);
  }

  bool Exported(Recipe recipe) {
    if (!profile_.Claims(Claim::kProducer)) return false;
    if (profile_.export_kills != 0) return Unknown();
    return Given(recipe);
  }

  bool Given(Recipe& recipe) {
    Run(recipe);
    return Takes(crash_record_.ledger.exports[0].export_call) ||
           crash_record_.ledger.sources[0].make.ends_programs != 0;
  }

  /// If the simple exchange crashes, nothing can be probed. "Yes" lets the cases report the crash.
  bool Unknown() {
    Wipe(crash_record_.ledger);
    return true;
  }

  void Run(Recipe& recipe) {
    KeepExtents(profile_.declared, recipe);
    Normalize(recipe);
    ++crash_record_.head.tick;
    crash_record_.recipe = recipe;
    reference_run_.Run(recipe);
    const ExchangeClock clock;
    engine_.Run(recipe, crash_record_.ledger);
    clock.Stop(crash_record_);
    reference_run_.Learn(recipe, crash_record_.ledger, profile_);
  }

  Draw From() const { return Draw{Random(0), 0, profile_}; }

  Recipe Plain() const {
    return From().PlainImport(profile_.takes_versioned ? StructKind::kVersioned : StructKind::kLegacy);
  }

  /// The default tensor with `dims` dimensions.
  Recipe OfRank(int dims) const {
    Recipe recipe = Plain();
    SetPlainShape(dims, recipe.offer().shape);
    recipe.offer().dims = static_cast<uint8_t>(dims);
    recipe.offer().ndim = dims;
    return recipe;
  }

  Recipe PlainExport() const {
    Recipe recipe = MakeRecipe(RecipeKind::kExport);
    recipe.request() = From().PlainRequest();
    recipe.call() = From().PlainCall();
    SetPlainLife(recipe);
    return recipe;
  }

  Recipe ExportOfRank(int dims) const {
    Recipe recipe = PlainExport();
    SetPlainShape(dims, recipe.request().shape);
    recipe.request().dims = static_cast<uint8_t>(dims);
    return recipe;
  }

  /// Calls `works` with ranks and dtypes until it returns true. Most libraries accept six float32 in one dimension.
  template <typename Works>
  bool FindPlain(uint8_t* rank, uint8_t* dtype, Works works) {
    const auto usual = static_cast<uint8_t>(DataTypeIndex("float32"));
    for (const int dims : kPlainestRanks) {
      if (!profile_.declared.MayHaveRank(dims)) continue;
      if (!profile_.declared.MayHaveType(usual)) break;
      *rank = static_cast<uint8_t>(dims);
      *dtype = usual;
      if (works()) return true;
    }
    for (const int dims : kPlainestRanks) {
      if (!profile_.declared.MayHaveRank(dims)) continue;
      for (uint8_t index = 0; index < DataTypes().size(); ++index) {
        if (!profile_.declared.MayHaveType(index)) continue;
        *rank = static_cast<uint8_t>(dims);
        *dtype = index;
        if (works()) return true;
      }
    }
    *rank = 1;
    *dtype = usual;
    return false;
  }

  Subject& subject_;
  Engine& engine_;
  ReferenceRun& reference_run_;
  CrashRecord& crash_record_;
  Profile& profile_;

 private:
  static constexpr int kPlainestRanks[] = {1, 2, 3, 0, 4, 5, 6};
};

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROBE_EXCHANGES_H_
