// harness/attribute/properties_life.cc: properties of a life: its steps, threads and contexts.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "harness/attribute/property_rows.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/life.h"
#include "harness/recipe/names.h"
#include "harness/recipe/ops.h"

namespace dlpack_cts {
namespace {

/// Removes steps, and then the steps on slots that are no longer filled.
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

/// Whether the operation belongs to the default life. An array of a library that is imported by a library is described
/// and read like any other import.
bool IsPlainStep(const Recipe& recipe, Op op) {
  if (IsPlain(recipe.kind, op)) return true;
  return op != Op::kImport && IsPlain(RecipeKind::kImport, op) && HasStep(recipe, Op::kImportSource);
}

bool HasOp(const RecipeInUse& used, int op) {
  return used.ops[static_cast<size_t>(op)] && !IsPlainStep(used.recipe, Op{static_cast<uint8_t>(op)});
}

/// Sets the default life of the recipe's kind. SetExport() has first turned a re-export, or an export through a table,
/// into the default export of the same tensor.
void SetPlain(Recipe& recipe) {
  recipe.rounds = 1;
  SetPlainLife(recipe);
  recipe.used.offers = recipe.used.requests = 1;
  recipe.used.calls = 1;
}

/// Turns a re-export, or an export through a table, into the default export of the same tensor.
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

/// One property for each operation that is in no default life.
Property StepProperty(const OpRow& row) {
  const Op op = row.op;
  const std::string id = "step-" + std::string(row.word);
  return {id,
          [op](Recipe& recipe) {
            if (IsPlainStep(recipe, op)) return;
            if (op == Op::kImportByTable) {
              for (Step& step : recipe.life()) step.op = step.op == op ? Op::kImport : step.op;
              return;
            }
            TakeAway(recipe, [&](const Step& step) { return step.op == op; });
          },
          {{id, std::string(row.statement), HasOp, nullptr, static_cast<int>(op)}}};
}

Property ContextProperty() {
  Property property{"context", Plain<Step>([](Step& step) { step.context = Context::kUsual; }), {}};
  constexpr auto kHas =
      Some<Step>([](const Step& step, int number) { return static_cast<int>(step.context) == number; });
  AddValues(kContexts, kHas, nullptr, property);
  return property;
}

Property LanesProperty() {
  return {"threads",
          Plain<Step>([](Step& step) { step.lane = step.barrier = 0; }),
          {{"threads", "steps run on other threads", Some<Step>([](const Step& step) { return step.lane != 0; }),
            [](Recipe& recipe, int) {
              for (Step& step : recipe.life()) step.lane = step.context == Context::kUsual ? 1 : 0;
              ForEach<Step>(recipe, [](Step& step) { step.barrier = 1; });
            }}}};
}

/// Combines an operation and a value of its argument into one number.
int WithArgument(Op op, size_t argument) { return static_cast<int>(op) << 8 | static_cast<int>(argument); }
bool HasArgument(const RecipeInUse& used, int both) {
  const Op op{static_cast<uint8_t>(both >> 8)};
  if (!used.ops[static_cast<size_t>(op)]) return false;
  return HasStep(used.recipe, [&](const Step& step) { return step.op == op && step.argument == (both & 0xFF); });
}
void SetArgument(Recipe& recipe, int both) {
  for (Step& step : recipe.life()) {
    if (step.op == Op{static_cast<uint8_t>(both >> 8)}) step.argument = both & 0xFF;
  }
}

/// The arguments of the operations with this property. Only steps that are in the default life can be given one.
Property ArgumentProperty(std::string_view id) {
  Property property{std::string(id),
                    [id](Recipe& recipe) {
                      for (Step& step : recipe.life()) {
                        if (RowOf(step.op).argument_property == id) step.argument = 0;
                      }
                    },
                    {}};
  for (const OpRow& row : kOpRows) {
    if (row.argument_property != id) continue;
    const bool plain = IsPlain(RecipeKind::kImport, row.op) || IsPlain(RecipeKind::kExport, row.op);
    for (size_t i = 1; i < row.arguments.size(); ++i) {
      const Named& argument = row.arguments[i];
      property.values.push_back({std::string(argument.id), std::string(argument.statement), HasArgument,
                                 plain ? SetArgument : nullptr, WithArgument(row.op, i)});
    }
  }
  return property;
}

Property RoundsProperty() {
  return {"rounds",
          [](Recipe& recipe) { recipe.rounds = 1; },
          {{"rounds", "the whole exchange runs several times",
            [](const RecipeInUse& used, int) { return used.recipe.rounds > 1; }, nullptr}}};
}

/// Threads that export at the same time have one tensor each.
bool HasSeveral(const Step& step) { return step.op == Op::kExportTogether; }

/// The recipe has several tensors at once.
Property TensorsProperty() {
  return {"tensors",
          [](Recipe& recipe) { TakeAway(recipe, [](const Step& step) { return step.slot != 0 || HasSeveral(step); }); },
          {{"several-tensors", "the exchange has several tensors",
            [](const RecipeInUse& used, int) {
              uint32_t filled = 0;
              for (const Step& step : used.recipe.life()) {
                if (step.op == Op::kReexport || step.op == Op::kTableFind) continue;
                const int slot = FilledSlot(step);
                if (slot >= 0) filled |= 1u << slot;
              }
              return (filled & (filled - 1)) != 0 || Any<Step>(used, HasSeveral);
            },
            nullptr}}};
}

/// Only one of several tensors is needed, and not the first one: it becomes the first.
Property OnlyProperty(uint8_t slot) {
  return {"only-" + std::to_string(slot),
          [slot](Recipe& recipe) {
            if (!HasStep(recipe, [&](const Step& step) { return FilledSlot(step) == slot; })) return;
            if (recipe.kind == RecipeKind::kExport) {
              // Exports have one source.
              TakeAway(recipe,
                       [&](const Step& step) { return HasTrait(step.op, OpTrait::kOfExport) && step.slot != slot; });
            } else {
              TakeAway(recipe, [&](const Step& step) { return step.slot != slot; });
            }
            for (Step& step : recipe.life()) {
              if (step.slot == slot) step.slot = 0;
            }
          },
          {}};
}

/// The position of the step in the default life; -1 if it is not in it.
int PlaceInPlain(const Recipe& plain, RecipeKind kind, const Step& step) {
  if (!IsPlain(kind, step.op) || step.slot != 0) return -1;
  const Step* const found = FindStep(plain, [&](const Step& other) { return other.op == step.op; });
  return found == nullptr ? -1 : static_cast<int>(found - plain.steps);
}

/// Sorts the steps of the default life into the default order. Every other step stays after the step before it.
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

bool TakesAnAddress(const Step& step) { return HasTrait(step.op, OpTrait::kOtherIsAddress); }

/// An import at the struct address of a tensor that was released before.
Property AddressProperty() {
  const auto holds = [](const RecipeInUse& used, int) {
    return Any<Step>(used, [&](const Step& step) {
      const int home = OtherSlot(step);
      return TakesAnAddress(step) && home >= 0 && home != step.slot &&
             Any<Step>(used, [&](const Step& other) { return TakesAnAddress(other) && other.slot == home; });
    });
  };
  return {"address",
          Plain<Step>([](Step& step) {
            if (TakesAnAddress(step)) step.other = Other::kNone;
          }),
          {{"same-address", "a struct is at the address of an earlier struct", holds, nullptr}}};
}

/// The order of the steps of the default life: whether the source, or the array, is dropped before the rest.
Property OrderProperty() {
  return {"order",
          SetPlainOrder,
          {{"other-order", "the steps are in another order than the default",
            [](const RecipeInUse& used, int) {
              const Recipe& recipe = used.recipe;
              Recipe plain;
              Copy(recipe, plain);
              SetPlainLife(plain);
              const Step* at = plain.steps;
              const Step* const end = plain.steps + plain.used.steps;
              for (const Step& step : recipe.life()) {
                if (!IsPlain(recipe.kind, step.op) || step.slot != 0) continue;
                at = std::find_if(at, end, [&](const Step& other) { return other.op == step.op; });
                if (at == end) return true;
              }
              return false;
            },
            nullptr}}};
}

std::vector<Property> LifeProperties() {
  std::vector<Property> properties;
  // The whole life first, then its parts.
  properties.push_back({"role", SetExport, {}});
  properties.push_back({"life", SetPlain, {}});
  properties.push_back(RoundsProperty());
  properties.push_back(LanesProperty());
  properties.push_back(ContextProperty());
  properties.push_back(AddressProperty());
  properties.push_back(TensorsProperty());
  for (uint8_t slot = 1; slot < kSlots; ++slot) properties.push_back(OnlyProperty(slot));
  for (const OpRow& row : kOpRows) {
    if (IsPlain(RecipeKind::kImport, row.op) && IsPlain(RecipeKind::kExport, row.op)) continue;
    properties.push_back(StepProperty(row));
  }
  for (const OpRow& row : kOpRows) {
    const bool last = properties.back().id == row.argument_property;
    if (!row.argument_property.empty() && !last) properties.push_back(ArgumentProperty(row.argument_property));
  }
  properties.push_back(OrderProperty());
  return properties;
}

const RegisterProperties kLife(PropertyGroup::kLife, LifeProperties);

}  // namespace

}  // namespace dlpack_cts
