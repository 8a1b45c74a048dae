// worker/probe.cc: finds out what a subject can do, one plain exchange at a time.
#include "worker/probe.h"

#include <array>
#include <cstdio>
#include <string>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts::worker {
namespace {

Recipe PlainExport() {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request().dims = 1;
  recipe.request().shape[0] = 6;
  recipe.request().strides_kind = StridesKind::kCompact;
  SetPlainLife(recipe);
  return recipe;
}

class Prober {
 public:
  Prober(Subject& subject, Engine& engine, Board& board)
      : subject_(subject), engine_(engine), board_(board), profile_(board.profile) {}

  /// Kinds first: the further probes use the kind that is taken, the versioned one when both are.
  void Run(int probe) {
    switch (probe) {
      case 0:
        subject_.TakeComplaint();
        profile_.takes_versioned = Imports(PlainImport(StructKind::kVersioned), &profile_.versioned_refusal);
        profile_.aliases = board_.ledger.imports[0].Aliases();
        profile_.shows_writable =
            board_.ledger.imports[0].result.valid && board_.ledger.imports[0].result.writable == 1;
        return NoteComplaint();
      case 1:
        profile_.takes_legacy = Imports(PlainImport(StructKind::kLegacy), &profile_.legacy_refusal);
        profile_.aliases |= board_.ledger.imports[0].Aliases();
        return NoteComplaint();
      case 2:
        return Scalar();
      case 3:
        return Empty();
      case 4:
        return Strided();
      case 5:
        return Offset();
      case 6:
        return ReadOnly();
      case 7:
        return Exports();
      case 8:
        return Negative();
      default:
        return DataType(probe - kFixed);
    }
  }

  static constexpr int kFixed = 9;

 private:
  /// An adapter that cannot read the plainest array can read none, and every case about values would be silent.
  void NoteComplaint() {
    const std::string complaint = subject_.TakeComplaint();
    if (board_.complaint[0] == '\0') std::snprintf(board_.complaint, sizeof(board_.complaint), "%s", complaint.c_str());
  }

  /// What is no refusal is no "no": the cases have to meet it.
  static bool Takes(const Refusal& answer) { return answer.outcome == Outcome::kAccepted || answer.ends_programs != 0; }

  bool Imports(Recipe recipe, Refusal* refusal = nullptr) {
    if (!profile_.Claims(Claim::kConsumer)) return false;
    Run(recipe);
    if (refusal != nullptr) *refusal = board_.ledger.imports[0].import;
    return Takes(board_.ledger.imports[0].import);
  }

  bool Exported(Recipe recipe) {
    if (!profile_.Claims(Claim::kProducer)) return false;
    Run(recipe);
    return Takes(board_.ledger.exports[0].export_call) || board_.ledger.sources[0].make.ends_programs != 0;
  }

  void Run(Recipe& recipe) {
    Normalize(recipe);
    ++board_.head.tick;
    board_.recipe = recipe;
    engine_.Run(recipe, board_.ledger);
  }

  Recipe Plain() const { return PlainImport(profile_.takes_versioned ? StructKind::kVersioned : StructKind::kLegacy); }

  void Scalar() {
    Recipe recipe = Plain();
    recipe.offer().dims = 0;
    recipe.offer().ndim = 0;
    profile_.takes_scalar = Imports(recipe);
  }

  void Empty() {
    Recipe recipe = Plain();
    recipe.offer().shape[0] = 0;
    recipe.offer().placement = Placement::kNull;
    profile_.takes_empty = Imports(recipe);
  }

  void Strided() {
    Recipe recipe = Plain();
    recipe.offer().dims = 2;
    recipe.offer().ndim = 2;
    recipe.offer().shape[0] = 2;
    recipe.offer().shape[1] = 3;
    recipe.offer().strides_kind = StridesKind::kExplicit;
    recipe.offer().strides[0] = 1;
    recipe.offer().strides[1] = 2;
    profile_.takes_strided = Imports(recipe);
  }

  void Negative() {
    Recipe recipe = Plain();
    recipe.offer().strides_kind = StridesKind::kExplicit;
    recipe.offer().strides[0] = -1;
    Imports(recipe);
    profile_.survives_negative = 1;  // else the child died above
  }

  void Offset() {
    Recipe recipe = Plain();
    recipe.offer().byte_offset = 256;
    profile_.takes_offset = Imports(recipe);
  }

  void ReadOnly() {
    if (!profile_.takes_versioned) {
      profile_.takes_read_only = 1;  // legacy structs have no flag: nothing to refuse
      return;
    }
    Recipe recipe = Plain();
    recipe.offer().flags = abi::kFlagReadOnly;
    profile_.takes_read_only = Imports(recipe);
    profile_.shows_read_only = board_.ledger.imports[0].result.valid && board_.ledger.imports[0].result.writable == 0;
  }

  void Exports() {
    Recipe recipe = PlainExport();
    profile_.makes_legacy = Exported(recipe) && board_.ledger.exports[0].name == NameSeen::kLegacy;
    recipe.call().max_version = Argument{ArgumentKind::kPair, {}, 1, 3};
    const bool exported = Exported(recipe);
    profile_.takes_keywords = exported;
    profile_.makes_versioned = exported && board_.ledger.exports[0].name == NameSeen::kVersioned;
  }

  void DataType(int index) {
    const abi::DLDataType dtype = DataTypes()[static_cast<size_t>(index)].dtype;
    Recipe import = Plain();
    import.offer().dtype = dtype;
    if (Imports(import)) profile_.takes_dtypes |= uint64_t{1} << index;
    Recipe request = PlainExport();
    request.request().dtype = dtype;
    if (profile_.takes_keywords) request.call().max_version = Argument{ArgumentKind::kPair, {}, 1, 3};
    if (Exported(request)) profile_.makes_dtypes |= uint64_t{1} << index;
  }

  Subject& subject_;
  Engine& engine_;
  Board& board_;
  Profile& profile_;
};

}  // namespace

int ProbeCount() { return Prober::kFixed + static_cast<int>(DataTypes().size()); }

void RunProbes(Subject& subject, Engine& engine, Board& board) {
  Prober prober(subject, engine, board);
  for (; board.probe < ProbeCount(); ++board.probe) prober.Run(board.probe);
}

}  // namespace dlpack_cts::worker
