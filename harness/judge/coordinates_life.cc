// harness/judge/coordinates_life.cc: properties of a life: steps, threads, contexts.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "harness/judge/coordinate_list.h"
#include "harness/ledger/facts.h"
#include "harness/recipe/enum_words.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/often.h"

namespace dlpack_cts {
namespace {

bool IsPlainOp(RecipeKind kind, Op op) {
  switch (op) {
    case Op::kImport:
    case Op::kDescribe:
    case Op::kRead:
    case Op::kCompute:
    case Op::kDropProducer:
    case Op::kDropArray:
      return kind == RecipeKind::kImport;
    case Op::kMake:
    case Op::kExport:
    case Op::kAskDevice:
    case Op::kReadExport:
    case Op::kInspect:
    case Op::kReadSource:
    case Op::kTakeCapsule:
    case Op::kDropSource:
    case Op::kDelete:
      return kind == RecipeKind::kExport;
    default:
      return op == Op::kCollect || op == Op::kEnd;
  }
}

/// Slots that a step fills.
int FilledSlot(const Step& step) {
  switch (step.op) {
    case Op::kImport:
    case Op::kImportCapsule:
    case Op::kImportTogether:
    case Op::kMake:
    case Op::kExport:
    case Op::kImportSource:
    case Op::kTableFind:
    case Op::kTableExport:
    case Op::kTableImport:
    case Op::kTableView:
    case Op::kTableAllocate:
    case Op::kTableStream:
      return step.slot;
    case Op::kReexport:
      return OtherSlot(step);
    default:
      return -1;
  }
}

/// Takes steps away, and then those on slots that nothing fills any more.
template <typename Test>
void TakeAway(Recipe& recipe, Test test) {
  const auto take = [&](const auto& gone) {
    Step* const end = std::remove_if(recipe.steps, recipe.steps + recipe.used.steps, gone);
    recipe.used.steps = static_cast<uint8_t>(end - recipe.steps);
  };
  take(test);
  uint32_t filled = 0;
  for (const Step& step : recipe.life()) {
    if (const int slot = FilledSlot(step); slot >= 0) filled |= 1u << slot;
  }
  take([&](const Step& step) {
    return step.op != Op::kCollect && FilledSlot(step) < 0 && ((filled >> step.slot) & 1u) == 0;
  });
}

/// What one library hands to another one, or to itself, is described and read as any import is.
bool IsPlainStep(const Recipe& recipe, Op op) {
  if (IsPlainOp(recipe.kind, op)) return true;
  const std::span<const Step> life = recipe.life();
  return op != Op::kImport && IsPlainOp(RecipeKind::kImport, op) &&
         std::any_of(life.begin(), life.end(), [](const Step& step) { return step.op == Op::kImportSource; });
}

bool HasOp(const Recipe& recipe, int op) {
  const std::span<const Step> life = recipe.life();
  return std::any_of(life.begin(), life.end(), [&](const Step& step) {
    return static_cast<int>(step.op) == op && !IsPlainStep(recipe, step.op);
  });
}

/// The plain life, of the plain kind: what an import exports again, or a table exports, becomes the plain export of the
/// same tensor.
void SetPlain(Recipe& recipe) {
  recipe.rounds = 1;
  SetPlainLife(recipe);
  recipe.used.offers = recipe.used.requests = 1;
  recipe.used.calls = 1;
}

/// What is exported again, or through a table, as a plain export of the same tensor.
void SetExport(Recipe& recipe) {
  const bool exports = std::any_of(recipe.life().begin(), recipe.life().end(),
                                   [](const Step& step) { return step.op == Op::kReexport; });
  if (!exports) return;
  const Offer offer = recipe.offer();
  recipe = MakeRecipe(RecipeKind::kExport);
  Request& request = recipe.request();
  request.dtype = offer.dtype;
  request.seed = offer.seed;
  request.dims = offer.dims;
  std::copy_n(offer.shape, kDims, request.shape);
  std::copy_n(offer.strides, kDims, request.strides);
  request.strides_kind = offer.strides_kind == StridesKind::kNull ? StridesKind::kCompact : offer.strides_kind;
  request.making = request.strides_kind == StridesKind::kExplicit ? Making::kView : Making::kFresh;
  request.read_only = (offer.flags & abi::kFlagReadOnly) != 0 ? 1 : 0;
  SetPlainLife(recipe);
}

/// A coordinate of its own for each operation that no plain life has.
Coordinate StepCoordinate(Op op) {
  // docs/results.md explains each step to users.
  static constexpr EnumWords<Op> kStepWords = {
      "nothing is done",
      "a tensor is imported with from_dlpack",
      "a bare capsule is passed to from_dlpack",
      "from_dlpack is called again with the same producer or capsule",
      "the metadata of the imported array is read",
      "the elements of the imported array are read",
      "the library computes with the imported array",
      "an element is written on the producer's side after an import",
      "an element is written through the imported array",
      "only a view of the imported array is kept",
      "the imported array is exported again",
      "the imported array is dropped",
      "dlpack-cts drops its reference to the imported capsule",
      "the producer object is dropped",
      "garbage is collected",
      "the library makes an array",
      "the array is exported with __dlpack__",
      "__dlpack_device__ is called",
      "the exported struct is read again",
      "the elements are read through the exported struct",
      "an element is written through the exported struct",
      "the array that was made is dropped",
      "the array is reshaped, transposed or resized in place",
      "the exported capsule is renamed, as a consumer does",
      "the deleter of the exported tensor is called",
      "the exported capsule is destroyed; without take-capsule before it, the capsule was not consumed",
      "the elements of the array that was made are read again",
      "the library computes with the array that was made",
      "the array that was made is passed to from_dlpack",
      "the C exchange table of the array's type is looked up",
      "the array is exported with managed_tensor_from_py_object_no_sync",
      "a tensor is imported with managed_tensor_to_py_object_no_sync",
      "the array is viewed with dltensor_from_py_object_no_sync",
      "a tensor is allocated with managed_tensor_allocator",
      "current_work_stream is called",
      "many more arrays are made and exported, one after another",
      "many exports are made at once, by several threads or by one",
      "several threads import at the same time"};
  const std::string name(ToText(op));
  return {"step-" + name,
          [op](Recipe& recipe) {
            if (IsPlainStep(recipe, op)) return;
            TakeAway(recipe, [&](const Step& step) { return step.op == op; });
          },
          {{"step-" + name, std::string(kStepWords[op]), HasOp, nullptr, static_cast<int>(op)}}};
}

/// Steps about an export; the others of an export recipe are about its source.
bool UsesSlot(Op op) {
  switch (op) {
    case Op::kExport:
    case Op::kInspect:
    case Op::kReadExport:
    case Op::kWriteExport:
    case Op::kTakeCapsule:
    case Op::kDelete:
    case Op::kLoseCapsule:
    case Op::kTableExport:
    case Op::kTableView:
    case Op::kTableAllocate:
    case Op::kExportOften:
    case Op::kExportTogether:
      return true;
    default:
      return false;
  }
}

template <typename Test>
bool AnyStep(const Recipe& recipe, Test test) {
  const std::span<const Step> life = recipe.life();
  return std::any_of(life.begin(), life.end(), test);
}

Coordinate ContextCoordinate() {
  struct Row {
    Context context;
    const char* id;
    const char* words;
  };
  static constexpr Row kRows[] = {
      {Context::kCollection, "in-collection", "a step runs during garbage collection"},
      {Context::kPendingException, "pending-exception", "a step runs while an exception is pending"},
      {Context::kForkedChild, "forked-child", "a step runs in a forked child"},
      {Context::kAtExit, "at-exit", "a step runs in an exit handler"},
      {Context::kSubinterpreter, "subinterpreter", "a step runs while a subinterpreter ends"},
      {Context::kFinalised, "finalised", "a step runs after the interpreter was finalised"},
      {Context::kRawThread, "raw-thread", "a step runs on a thread unknown to Python"},
      {Context::kOtherDevice, "other-cuda-device", "a step runs while another CUDA device is current"},
      {Context::kCapture, "cuda-capture", "a step runs during the capture of a CUDA stream"},
      {Context::kPendingWork, "pending-cuda-work", "a step runs while work is pending on a CUDA stream"},
      {Context::kHeldStream, "held-cuda-stream", "a step runs while its CUDA stream is blocked"},
      {Context::kEndedStream, "ended-cuda-stream", "a step runs after the CUDA stream of its export was destroyed"},
  };
  static_assert(std::size(kRows) == kEnumerators<Context> - 1);
  Coordinate coordinate{"context",
                        [](Recipe& recipe) {
                          for (Step& step : recipe.life()) step.context = Context::kUsual;
                        },
                        {}};
  for (const Row& row : kRows) {
    coordinate.values.push_back(
        {row.id, row.words,
         [](const Recipe& recipe, int number) {
           return AnyStep(recipe, [&](const Step& step) { return static_cast<int>(step.context) == number; });
         },
         nullptr, static_cast<int>(row.context)});
  }
  return coordinate;
}

Coordinate LanesCoordinate() {
  return {"threads",
          [](Recipe& recipe) {
            for (Step& step : recipe.life()) step.lane = step.barrier = 0;
          },
          {{"threads", "steps run on other threads",
            [](const Recipe& recipe, int) { return AnyStep(recipe, [](const Step& step) { return step.lane != 0; }); },
            [](Recipe& recipe, int) {
              for (Step& step : recipe.life()) step.lane = step.context == Context::kUsual ? 1 : 0;
              for (Step& step : recipe.life()) step.barrier = 1;
            }}}};
}

/// Whether the array that is exported is a view of the one that was made, or a view of that.
Coordinate KeptCoordinate() {
  const auto holds = [](const Recipe& recipe, int views) {
    return AnyStep(recipe, [&](const Step& step) { return step.op == Op::kMake && step.argument == views; });
  };
  const auto set = [](Recipe& recipe, int views) {
    for (Step& step : recipe.life()) {
      if (step.op == Op::kMake) step.argument = views;
    }
  };
  return {
      "kept",
      [](Recipe& recipe) {
        for (Step& step : recipe.life()) {
          if (step.op == Op::kMake) step.argument = 0;
        }
      },
      {{"kept-as-view", "the library keeps only a view of the array that it made", holds, set, 1},
       {"kept-as-view-of-view", "the library keeps only a view of a view of the array that it made", holds, set, 2}}};
}

/// In which way many tensors come and go.
Coordinate OftenCoordinate() {
  const auto holds = [](const Recipe& recipe, int often) {
    return AnyStep(recipe, [&](const Step& step) { return step.op == Op::kExportOften && step.argument == often; });
  };
  return {
      "often",
      [](Recipe& recipe) {
        for (Step& step : recipe.life()) {
          if (step.op == Op::kExportOften) step.argument = 0;
        }
      },
      {{"often-unused", "export-often destroys each capsule unused", holds, nullptr, static_cast<int>(Often::kUnused)},
       {"often-by-table", "export-often exports by managed_tensor_from_py_object_no_sync", holds, nullptr,
        static_cast<int>(Often::kTableExport)},
       {"often-viewed", "export-often makes views by dltensor_from_py_object_no_sync", holds, nullptr,
        static_cast<int>(Often::kTableView)},
       {"often-allocated", "export-often allocates by managed_tensor_allocator", holds, nullptr,
        static_cast<int>(Often::kTableAllocate)}}};
}

/// What several threads that export or import at once do beside that, or share.
Coordinate TogetherCoordinate() {
  Coordinate coordinate{"together",
                        [](Recipe& recipe) {
                          for (Step& step : recipe.life()) {
                            if (IsRace(step.op)) step.argument = 0;
                          }
                        },
                        {}};
  const auto add = [&]<Op kOp>(std::integral_constant<Op, kOp>, auto argument, const char* id, const char* words) {
    coordinate.values.push_back(
        {id, words,
         [](const Recipe& recipe, int number) {
           return AnyStep(recipe, [&](const Step& step) { return step.op == kOp && step.argument == number; });
         },
         nullptr, static_cast<int>(argument)});
  };
  constexpr std::integral_constant<Op, Op::kExportTogether> kExports;
  constexpr std::integral_constant<Op, Op::kImportTogether> kImports;
  add(kExports, Beside::kImports, "beside-imports", "a thread imports the array while others export it");
  add(kExports, Beside::kChangesMetadata, "beside-changes",
      "a thread changes the array in place while others export it");
  add(kExports, Beside::kMany, "many-exports", "hundreds of exports of one thread are alive at once");
  add(kImports, Sharing::kOneCapsule, "one-capsule", "several threads import one producer, which returns one capsule");
  add(kImports, Sharing::kOneBare, "one-bare-capsule", "several threads import one bare capsule");
  return coordinate;
}

Coordinate RoundsCoordinate() {
  return {"rounds",
          [](Recipe& recipe) { recipe.rounds = 1; },
          {{"rounds", "the whole exchange runs several times",
            [](const Recipe& recipe, int) { return recipe.rounds > 1; }, nullptr}}};
}

/// Threads that export at once have a tensor each.
bool HasSeveral(const Step& step) { return step.op == Op::kExportTogether; }

/// Several tensors at once.
Coordinate TensorsCoordinate() {
  return {"tensors",
          [](Recipe& recipe) { TakeAway(recipe, [](const Step& step) { return step.slot != 0 || HasSeveral(step); }); },
          {{"several-tensors", "the exchange has several tensors",
            [](const Recipe& recipe, int) {
              uint32_t filled = 0;
              for (const Step& step : recipe.life()) {
                if (step.op == Op::kReexport || step.op == Op::kTableFind) continue;
                const int slot = FilledSlot(step);
                if (slot >= 0) filled |= 1u << slot;
              }
              return (filled & (filled - 1)) != 0 || AnyStep(recipe, HasSeveral);
            },
            nullptr}}};
}

/// One tensor alone, which is not the first: it becomes that.
Coordinate OnlyCoordinate(uint8_t slot) {
  return {"only-" + std::to_string(slot),
          [slot](Recipe& recipe) {
            if (!AnyStep(recipe, [&](const Step& step) { return FilledSlot(step) == slot; })) return;
            if (recipe.kind == RecipeKind::kExport) {
              // Exports have one source.
              TakeAway(recipe, [&](const Step& step) { return UsesSlot(step.op) && step.slot != slot; });
            } else {
              TakeAway(recipe, [&](const Step& step) { return step.slot != slot; });
            }
            for (Step& step : recipe.life()) {
              if (step.slot == slot) step.slot = 0;
            }
          },
          {}};
}

/// Where the step stands in the plain life; -1 where it has no place there.
int PlaceInPlain(const Recipe& plain, RecipeKind kind, const Step& step) {
  if (!IsPlainOp(kind, step.op) || step.slot != 0) return -1;
  const std::span<const Step> life = plain.life();
  const auto found = std::find_if(life.begin(), life.end(), [&](const Step& other) { return other.op == step.op; });
  return found == life.end() ? -1 : static_cast<int>(found - life.begin());
}

/// Puts the steps of the default life into the default order. Every other step stays after the step before it.
void SetPlainOrder(Recipe& recipe) {
  Recipe plain;
  Copy(recipe, plain);
  SetPlainLife(plain);
  std::array<std::pair<int, Step>, kSteps> keyed;
  int last = 0;
  int count = 0;
  for (const Step& step : recipe.life()) {
    const int place = PlaceInPlain(plain, recipe.kind, step);
    if (place >= 0) last = place;
    keyed[static_cast<size_t>(count++)] = {last, step};
  }
  std::stable_sort(keyed.begin(), keyed.begin() + count,
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (int i = 0; i < count; ++i) recipe.steps[i] = keyed[static_cast<size_t>(i)].second;
}

bool TakesAnAddress(const Step& step) { return step.op == Op::kImport || step.op == Op::kImportCapsule; }

/// At the address of another tensor that came and went.
Coordinate AddressCoordinate() {
  const auto holds = [](const Recipe& recipe, int) {
    return AnyStep(recipe, [&](const Step& step) {
      const int home = OtherSlot(step);
      return TakesAnAddress(step) && home >= 0 && home != step.slot &&
             AnyStep(recipe, [&](const Step& other) { return TakesAnAddress(other) && other.slot == home; });
    });
  };
  return {"address",
          [](Recipe& recipe) {
            for (Step& step : recipe.life()) {
              if (TakesAnAddress(step)) step.other = Other::kNone;
            }
          },
          {{"same-address", "a struct is at the address of an earlier struct", holds, nullptr}}};
}

/// The order of steps that a plain life has: whether the source, or the array, is gone before the rest.
Coordinate OrderCoordinate() {
  return {"order",
          SetPlainOrder,
          {{"other-order", "the steps are in another order than the default",
            [](const Recipe& recipe, int) {
              Recipe plain;
              Copy(recipe, plain);
              SetPlainLife(plain);
              const Step* at = plain.steps;
              const Step* const end = plain.steps + plain.used.steps;
              for (const Step& step : recipe.life()) {
                if (!IsPlainOp(recipe.kind, step.op) || step.slot != 0) continue;
                at = std::find_if(at, end, [&](const Step& other) { return other.op == step.op; });
                if (at == end) return true;
              }
              return false;
            },
            nullptr}}};
}

}  // namespace

std::vector<Coordinate> LifeCoordinates() {
  std::vector<Coordinate> coordinates;
  // The whole life first; then what can be taken from it.
  coordinates.push_back({"role", SetExport, {}});
  coordinates.push_back({"life", SetPlain, {}});
  coordinates.push_back(RoundsCoordinate());
  coordinates.push_back(LanesCoordinate());
  coordinates.push_back(ContextCoordinate());
  coordinates.push_back(AddressCoordinate());
  coordinates.push_back(TensorsCoordinate());
  for (uint8_t slot = 1; slot < kSlots; ++slot) coordinates.push_back(OnlyCoordinate(slot));
  for (int i = 1; i < static_cast<int>(Op::kCount); ++i) {
    const Op op = static_cast<Op>(i);
    if (IsPlainOp(RecipeKind::kImport, op) && IsPlainOp(RecipeKind::kExport, op)) continue;
    coordinates.push_back(StepCoordinate(op));
  }
  coordinates.push_back(KeptCoordinate());
  coordinates.push_back(OftenCoordinate());
  coordinates.push_back(TogetherCoordinate());
  coordinates.push_back(OrderCoordinate());
  return coordinates;
}

}  // namespace dlpack_cts
