// suites/exchange-api/functions.cc: each function of the table of the C exchange API does what its contract says.
#include <algorithm>
#include <initializer_list>
#include <string>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "suites/exchange-api/table_calls.h"
#include "suites/exchange-api/unusable.h"

namespace dlpack_cts {
namespace {

constexpr std::string_view kMajorOne = "(1, 0) | (1, 1) | (1, 2) | (1, 3)";

std::string ShapeText(const Recipe& recipe) { return AsText({recipe.request().shape, recipe.request().dims}); }

/// The parts of an exported tensor that do not depend on how it was exported.
bool DescribesSource(const Recipe& recipe, const Ledger& ledger, Judgement& judgement, std::string_view rule) {
  const ExportLedger& record = ledger.exports[0];
  if (record.metadata_readable == 0) {
    return Check(false, ledger, judgement, rule, "export0.metadata_readable", "1",
                 "shape or strides of the tensor cannot be read");
  }
  const abi::DLDataType made = recipe.request().dtype;
  const abi::DLDataType got = record.tensor.dtype;
  if (IsSubByte(made) && got.lanes == 2 && got.code == made.code && got.bits == made.bits) {
    judgement.SaysNothing("the elements are exported in pairs");
    return false;
  }
  const bool same_shape = record.tensor.ndim == recipe.request().dims &&
                          std::equal(record.shape, record.shape + recipe.request().dims, recipe.request().shape);
  if (!same_shape) {
    return Check(false, ledger, judgement, rule, "export0.shape", ShapeText(recipe),
                 "the tensor has another shape than the array");
  }
  if (!(record.tensor.dtype == recipe.request().dtype)) {
    return Check(false, ledger, judgement, rule, "export0.dtype", AsText(recipe.request().dtype),
                 "the tensor has another dtype than the array");
  }
  return ExportMatches(rule, ledger, judgement, 0, "the table's tensor has other elements than the array");
}

bool IsEmpty(const Recipe& recipe) { return ElementCount(recipe.request().shape, recipe.request().dims) == 0; }

/// Any layout will do in which elements do not share their place.
bool HasRoom(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  const ExportLedger& record = ledger.exports[0];
  if (record.metadata_readable == 0 || record.null_strides != 0 || IsEmpty(recipe)) return true;
  if (record.tensor.ndim != recipe.request().dims) return true;
  int64_t compact[kDims] = {};
  int64_t stride = 1;
  bool shares = false;
  for (int d = recipe.request().dims - 1; d >= 0; --d) {
    compact[d] = stride;
    stride *= record.shape[d];
    shares = shares || (record.shape[d] > 1 && record.strides[d] == 0);
  }
  return Check(!shares, ledger, judgement, "XAPI-ALLOC-10", "export0.strides", AsText({compact, recipe.request().dims}),
               "elements of the allocated tensor share their place");
}

// XAPI-FROM-05, XAPI-USE-04: What from_py_object exports obeys the C rules and equals the array.
// XAPI-RET-01, XAPI-RET-02, XAPI-RET-04: Status, exception and out parameter agree.
// XAPI-VER-06: The tensor has the major version of the table. XAPI-FROM-06: The export does not copy.
// C-LAYOUT-09: The table is a header of 16 bytes and five functions in their published order.
const Register kFromObject{{
    .id = "exchange-api/functions/from-object-exports-the-array",
    .rules = {"XAPI-USE-04", "XAPI-FROM-05", "XAPI-FROM-06", "XAPI-RET-01", "XAPI-RET-02", "XAPI-RET-04", "XAPI-VER-06",
              "C-LAYOUT-09"},
    .role = Role::kExchange,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw =
        [](Draw& draw) {
          return WithLife(AnyArray(draw),
                          {{Op::kTableExport}, {Op::kInspect}, {Op::kReadExport}, {Op::kDelete}, {Op::kDropSource}});
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!WasCalled(ledger, judgement, TableFunction::kFromObject)) return;
          JudgeReturn(ledger, judgement, TableFunction::kFromObject);
          const ExportLedger& record = ledger.exports[0];
          if (!Exported(ledger) || record.struct_address == 0) return judgement.SaysNothing("nothing was exported");
          Check(record.version.major == ledger.tables[0].version.major, ledger, judgement, "XAPI-VER-06",
                "export0.version", kMajorOne, "the tensor has another major version than the table");
          if (!DescribesSource(recipe, ledger, judgement, "XAPI-USE-04")) return;
          const bool needs_strides = record.tensor.ndim > 0 && record.version.minor >= 2;
          Check(!needs_strides || record.null_strides == 0, ledger, judgement, "XAPI-FROM-05", "export0.null_strides",
                "0", "a tensor of version 1.2 or later has NULL strides");
          Check(record.changed_parts == 0, ledger, judgement, "XAPI-FROM-05", "export0.changed", "none",
                "the exported struct changed while it was alive");
          const bool copied = (record.flags & abi::kFlagIsCopied) != 0;
          if (record.place.area != Area::kUnknown && !IsEmpty(recipe) && !copied) {
            Check(record.IsAtSource(), ledger, judgement, "XAPI-FROM-06", "export0.points_at_source", "1",
                  "the tensor lies elsewhere than the array, and IS_COPIED is not set");
          }
        },
}};

// XAPI-FROM-01: The caller owns the tensor: it outlives the array, and its deleter, called once, frees everything.
const Register kOwned{{
    .id = "exchange-api/functions/an-exported-tensor-is-owned-by-its-caller",
    .rules = {"XAPI-FROM-01"},
    .role = Role::kExchange,
    .python = true,
    .draw =
        [](Draw& draw) {
          return WithLife(AnyArray(draw), {{Op::kTableExport},
                                           {Op::kTableExport, 1},
                                           {Op::kDelete, 1},
                                           {Op::kDropSource},
                                           {Op::kCollect},
                                           {Op::kReadExport},
                                           {Op::kDelete},
                                           {Op::kCollect}});
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!WasCalled(ledger, judgement, TableFunction::kFromObject)) return;
          if (!Exported(ledger)) return judgement.SaysNothing("nothing was exported");
          ExportMatches("XAPI-FROM-01", ledger, judgement, 0,
                        "the tensor has other elements after the array was dropped");
          if (ledger.exports[0].has_deleter != 0 && ledger.sources[0].alive_known != 0) {
            Check(ledger.sources[0].alive_at_end == 0, ledger, judgement, "XAPI-FROM-01", "source0.alive_at_end",
                  "0 | none", "the array lives on after the deleter of its tensor ran");
          }
        },
}};

// XAPI-DLT-01: dltensor_from_py_object fills the caller's struct and owns nothing on its behalf.
// XAPI-DLT-02: Shape and strides stay valid until control returns.
// XAPI-DLT-06, XAPI-DLT-07: A later export does not overwrite an earlier one while the array is alive.
// XAPI-TAB-04: What is not NULL in this slot is a function. C-LAYOUT-09: It is the one that the published order names.
// XAPI-RET-03: No C++ exception leaves it.
const Register kView{{
    .id = "exchange-api/functions/a-view-describes-the-array",
    .rules = {"XAPI-DLT-01", "XAPI-DLT-02", "XAPI-DLT-06", "XAPI-DLT-07", "XAPI-RET-03", "XAPI-RET-04", "XAPI-TAB-04",
              "C-LAYOUT-09"},
    .role = Role::kExchange,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw =
        [](Draw& draw) {
          // Nothing between the two views and the inspection returns to Python.
          return WithLife(AnyArray(draw), {{Op::kTableFind},
                                           {Op::kTableView},
                                           {Op::kTableView, 1},
                                           {Op::kInspect},
                                           {Op::kReadExport},
                                           {Op::kDropSource},
                                           {Op::kCollect}});
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!WasCalled(ledger, judgement, TableFunction::kView)) return;
          JudgeReturn(ledger, judgement, TableFunction::kView);
          if (!Exported(ledger)) return judgement.SaysNothing("nothing was exported");
          if (!DescribesSource(recipe, ledger, judgement, "XAPI-DLT-02")) return;
          Check(ledger.exports[0].changed_parts == 0, ledger, judgement, "XAPI-DLT-06", "export0.changed", "none",
                "a second view overwrote the first one");
          if (ledger.sources[0].alive_known != 0) {
            Check(ledger.sources[0].alive_at_end == 0, ledger, judgement, "XAPI-DLT-01", "source0.alive_at_end",
                  "0 | none", "a view keeps the array alive for ever");
          }
        },
}};

/// An import recipe for the table: a versioned tensor, and an array whose type carries the table. Negative strides have
/// a case of their own: a library that dies of them would hide everything else.
Recipe TableImportRecipe(Draw& draw) {
  Recipe recipe = draw.ImportOf(StructKind::kVersioned);
  for (int64_t& stride : recipe.offer().strides) stride = Magnitude(stride);
  SetLife(recipe, {Op::kMake, Op::kTableImport, Op::kDescribe, Op::kRead, Op::kCompute, Op::kDropArray, Op::kCollect});
  return recipe;
}

/// An import through the table, whichever way it ended.
void JudgeImport(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  if (!WasCalled(ledger, judgement, TableFunction::kToObject)) return;
  JudgeReturn(ledger, judgement, TableFunction::kToObject);
  const int32_t calls = ledger.imports[0].deleter.calls;
  if (!Accepted(ledger)) {
    Check(calls <= 1, ledger, judgement, "XAPI-TO-05", "import0.deleter.calls", "0 | 1",
          "a refused tensor was released more than once");
    return judgement.SaysNothing("the tensor was refused");
  }
  Check(ledger.tables[0].object_is_foreign == 0, ledger, judgement, "XAPI-TO-02", "table0.object_is_foreign", "0",
        "the object is no array of the library");
  if (!ShapeMatches("XAPI-TO-02", recipe, ledger, judgement)) return;
  if (!ElementsMatch("XAPI-TO-02", ledger, judgement)) return;
  ReleasedOnce("XAPI-TO-01", recipe, ledger, judgement);
}

/// Who looks at a tensor only when it is used knew nothing of it until then, and told nothing.
bool RaisesWhenUsed(const Ledger& ledger) {
  const ImportLedger& import = ledger.imports[0];
  const Description& told = import.result;
  const bool tells = told.has_pointer != 0 || told.has_shape != 0 || told.has_device != 0 || !told.dtype_name.empty();
  return Accepted(ledger) && !tells && import.library.raised != 0;
}

// XAPI-TO-01: to_py_object takes the tensor over and releases it exactly once.
// XAPI-TO-02: What it returns is an array of the library, owned by the caller.
const Register kToObject{{
    .id = "exchange-api/functions/to-object-takes-the-tensor-over",
    .rules = {"XAPI-TO-01", "XAPI-TO-02", "XAPI-TO-05", "XAPI-RET-01", "XAPI-RET-02", "XAPI-RET-04"},
    .role = Role::kExchange,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw = &TableImportRecipe,
    .judge = &JudgeImport,
}};

// XAPI-TO-04: to_py_object takes negative strides, or refuses them with an exception.
const Register kReversed{{
    .id = "exchange-api/functions/to-object-takes-or-refuses-negative-strides",
    .rules = {"XAPI-TO-04", "XAPI-TO-02", "XAPI-TO-05"},
    .role = Role::kExchange,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = TableImportRecipe(draw);
          recipe.offer().strides_kind = StridesKind::kExplicit;
          recipe.offer().dims = 1;
          recipe.offer().ndim = 1;
          recipe.offer().shape[0] = draw.random.Between(2, 5);
          recipe.offer().strides[0] = draw.random.Between(-3, -1);
          recipe.offer().placement = Placement::kEndsAtGuard;
          return recipe;
        },
    .judge = &JudgeImport,
}};

// XAPI-TO-04: to_py_object refuses a tensor of a foreign major version, or whoever uses the object sees it refused.
const Register kForeignMajor{{
    .id = "exchange-api/functions/to-object-refuses-a-foreign-major",
    .rules = {"XAPI-TO-04", "XAPI-TO-05", "XAPI-RET-01", "XAPI-RET-02"},
    .role = Role::kExchange,
    .examples = Examples::kTable,
    .table = 4,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw =
        [](Draw& draw) {
          constexpr uint32_t kMajors[] = {2, 3, 258, 0xFFFFFFFF};
          Recipe recipe = TableImportRecipe(draw);
          recipe.offer().major = kMajors[draw.index];
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!WasCalled(ledger, judgement, TableFunction::kToObject)) return;
          JudgeReturn(ledger, judgement, TableFunction::kToObject);
          if (RaisesWhenUsed(ledger)) {
            ReleasedOnce("XAPI-TO-01", recipe, ledger, judgement);
            return;
          }
          Check(!Accepted(ledger), ledger, judgement, "XAPI-TO-04", "import0.outcome", "refused",
                "a tensor of a foreign major version was imported");
          Check(Accepted(ledger) || ledger.imports[0].deleter.calls <= 1, ledger, judgement, "XAPI-TO-05",
                "import0.deleter.calls", "0 | 1", "a refused tensor was released more than once");
        },
}};

// XAPI-TO-04: to_py_object makes nothing else of a type or a device that it has not. XAPI-TO-05: What it refuses is
// released at most once.
const Register kUnusable{{
    .id = "exchange-api/functions/to-object-makes-nothing-else-of-a-tensor",
    .rules = {"XAPI-TO-04", "XAPI-TO-05", "XAPI-RET-01", "XAPI-RET-02"},
    .role = Role::kExchange,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = TableImportRecipe(draw);
          MakeUnusable(draw, recipe.offer());
          SetLife(recipe, {Op::kMake, Op::kTableImport, Op::kDescribe, Op::kDropArray, Op::kCollect});
          return recipe;
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!WasCalled(ledger, judgement, TableFunction::kToObject)) return;
          JudgeReturn(ledger, judgement, TableFunction::kToObject);
          if (!Accepted(ledger)) {
            Check(ledger.imports[0].deleter.calls <= 1, ledger, judgement, "XAPI-TO-05", "import0.deleter.calls",
                  "0 | 1", "a refused tensor was released more than once");
            return;
          }
          NotTakenForHost("XAPI-TO-04", recipe, ledger, judgement,
                          "memory of another device was taken for host memory");
          if (ledger.imports[0].result.known_dtype == 0) return;
          DtypeMatches("XAPI-TO-04", recipe.offer().dtype, ledger, judgement,
                       "a type that does not exist was read as another type");
        },
}};

// XAPI-ALLOC-01, XAPI-ALLOC-04, XAPI-ALLOC-09: The allocator reads dtype, ndim, shape and device of its prototype,
// keeps nothing of it, and writes nothing to it.
// XAPI-ALLOC-02, XAPI-ALLOC-03: The tensor is new, as asked for, and can be written.
// C-OWN-17: A plain DLTensor carries no ownership: nothing of it is freed or kept beyond the call.
// XAPI-ALLOC-05: SetError is not called on success. XAPI-ALLOC-08: Success comes with a tensor.
const Register kAllocates{{
    .id = "exchange-api/functions/the-allocator-gives-what-was-asked-for",
    .rules = {"XAPI-ALLOC-03", "XAPI-ALLOC-01", "XAPI-ALLOC-02", "XAPI-ALLOC-04", "XAPI-ALLOC-05", "XAPI-ALLOC-08",
              "XAPI-ALLOC-09", "XAPI-ALLOC-10", "C-OWN-17"},
    .role = Role::kExchange,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = AnyArray(draw);
          Request& request = recipe.request();
          // Many vectors, so that too little memory for them ends before something else.
          if (request.dtype.lanes > 1 && draw.MadeRank(1) == 1) {
            request.dims = 1;
            request.shape[0] = draw.random.Between(100, 300);
            request.strides_kind = StridesKind::kCompact;
            request.making = Making::kFresh;
            request.offset = 0;
          }
          return WithLife(recipe, {{Op::kTableAllocate}, {Op::kReadExport}, {Op::kDelete}});
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!WasCalled(ledger, judgement, TableFunction::kAllocator)) return;
          JudgeReturn(ledger, judgement, TableFunction::kAllocator);
          Check(ledger.tables[0].prototype_changed == 0, ledger, judgement, "XAPI-ALLOC-09", "table0.prototype_changed",
                "0", "the allocator wrote to its prototype");
          const ExportLedger& record = ledger.exports[0];
          if (!Exported(ledger) || record.struct_address == 0) return judgement.SaysNothing("nothing was allocated");
          Check(ledger.tables[0].set_errors == 0, ledger, judgement, "XAPI-ALLOC-05", "table0.set_errors", "0",
                "the allocator succeeded and called SetError");
          Check(record.tensor.device.device_type == abi::kDLCPU, ledger, judgement, "XAPI-ALLOC-02", "export0.device",
                "(1, 0)", "the tensor lies on another device");
          Check((record.flags & abi::kFlagReadOnly) == 0, ledger, judgement, "XAPI-ALLOC-03", "export0.flags",
                "0 | 2 | 4 | 6", "the allocated tensor is read-only");
          if (record.metadata_readable != 0 && record.tensor.ndim > 0 && record.tensor.ndim <= kDims &&
              record.shape[0] == 0x5A5A5A5A5A5A5A5A) {
            Check(false, ledger, judgement, "XAPI-ALLOC-04", "export0.shape", ShapeText(recipe),
                  "the tensor points to the shape of the prototype");
            return;
          }
          if (!HasRoom(recipe, ledger, judgement)) return;
          if (!Check(IsEmpty(recipe) || record.tensor.data != nullptr, ledger, judgement, "XAPI-ALLOC-03",
                     "export0.null_data", "0", "there are elements, and no memory for them")) {
            return;
          }
          const bool writable =
              record.tensor.device.device_type == abi::kDLCPU && (record.flags & abi::kFlagReadOnly) == 0;
          Check(!writable || record.shares_with_source != 2, ledger, judgement, "XAPI-ALLOC-03", "export0.write_export",
                "not-run | shown", "the elements reach beyond the memory that was allocated for them");
          DescribesSource(recipe, ledger, judgement, "XAPI-ALLOC-03");
        },
}};

/// What nobody is likely to have was allocated all the same: then it has to be that, and nothing else.
void JudgeUnlikely(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  const ExportLedger& record = ledger.exports[0];
  if (!Exported(ledger) || record.struct_address == 0) return;
  constexpr int32_t kNoDevice = 77;
  switch (static_cast<Prototype>(recipe.steps[1].argument)) {
    case Prototype::kForeignDevice:
      Check(record.tensor.device.device_type == kNoDevice, ledger, judgement, "XAPI-ALLOC-02", "export0.device",
            AsText(abi::DLDevice{kNoDevice, 0}), "the tensor lies on another device than the one that was asked for");
      return;
    case Prototype::kForeignType:
      Check(record.tensor.dtype == abi::DLDataType{200, 7, 1}, ledger, judgement, "XAPI-ALLOC-03", "export0.dtype",
            AsText(abi::DLDataType{200, 7, 1}), "the tensor has another type than the one that was asked for");
      return;
    case Prototype::kHuge:
      // No machine has addresses for them, whether or not memory stands behind each.
      Check(false, ledger, judgement, "XAPI-ALLOC-03", "table0.allocator.status", "-1",
            "more elements are allocated than there are addresses");
      return;
    default:
      return;
  }
}

/// What a library is unlikely to have: each once, but a product that is too large also where it wraps, which takes two
/// extents.
constexpr int kUnlikely = static_cast<int>(Prototype::kCount);

/// The plainest array of that rank, or of the nearest that the library makes.
Recipe OfRank(Draw& draw, int rank) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request() = draw.PlainRequest();
  recipe.request().dims = static_cast<uint8_t>(draw.MadeRank(rank));
  std::fill_n(recipe.request().shape, recipe.request().dims, 2);
  return recipe;
}

// XAPI-ALLOC-05: SetError is called if and only if the allocator fails.
// XAPI-ALLOC-06: SetError gets the caller's context and two texts.
// XAPI-ALLOC-02, XAPI-ALLOC-03: What is allocated all the same lies on that device, has that type, and room for all.
const Register kFails{{
    .id = "exchange-api/functions/the-allocator-reports-failure-once",
    .rules = {"XAPI-ALLOC-05", "XAPI-ALLOC-06", "XAPI-ALLOC-08", "XAPI-RET-03", "XAPI-ALLOC-02", "XAPI-ALLOC-03"},
    .role = Role::kExchange,
    .examples = Examples::kTable,
    .table = kUnlikely,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw =
        [](Draw& draw) {
          const int kind = std::min(draw.index + 1, static_cast<int>(Prototype::kHuge));
          const bool huge = kind == static_cast<int>(Prototype::kHuge);
          return WithLife(huge ? OfRank(draw, 1 + draw.index % 2) : AnyArray(draw),
                          {{.op = Op::kTableAllocate, .argument = kind}, {Op::kDelete}});
        },
    .judge =
        [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
          if (!WasCalled(ledger, judgement, TableFunction::kAllocator)) return;
          JudgeReturn(ledger, judgement, TableFunction::kAllocator);
          const TableLedger& table = ledger.tables[0];
          if (CallOf(ledger, TableFunction::kAllocator).status == 0) {
            Check(table.set_errors == 0, ledger, judgement, "XAPI-ALLOC-05", "table0.set_errors", "0",
                  "the allocator succeeded and called SetError");
            return JudgeUnlikely(recipe, ledger, judgement);
          }
          if (!Check(table.set_errors > 0, ledger, judgement, "XAPI-ALLOC-05", "table0.set_errors", "1",
                     "the allocator failed and did not call SetError")) {
            return;
          }
          Check(table.set_errors == 1, ledger, judgement, "XAPI-ALLOC-05", "table0.set_errors", "1",
                "the allocator called SetError more than once", Degree::kNote);
          Check(table.error_context_wrong == 0, ledger, judgement, "XAPI-ALLOC-06", "table0.error_context_wrong", "0",
                "SetError got another context than the caller's");
          Check(table.error_text_missing == 0, ledger, judgement, "XAPI-ALLOC-06", "table0.error_text_missing", "0",
                "SetError got a NULL text");
        },
}};

// XAPI-USE-04: Both paths give the same array where both succeed. A function may refuse what __dlpack__ exports; a
// table all of whose functions refuse the plainest array that the library exchanges otherwise is there for nothing.
const Register kServed{{
    .id = "exchange-api/functions/plain-arrays-are-served",
    .rules = {"XAPI-USE-04"},
    .role = Role::kExchange,
    .on_refusal = OnRefusal::kJudge,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.PlainImport(StructKind::kVersioned);
          MakeReleasable(recipe);
          recipe.request() = draw.PlainRequest();
          SetLife(recipe, {{Op::kMake},
                           {Op::kTableExport, 1},
                           {Op::kDelete, 1},
                           {Op::kTableView, 2},
                           {Op::kTableAllocate, 3},
                           {Op::kDelete, 3},
                           {.op = Op::kTableStream, .argument = 0}});
          if (draw.profile.takes_versioned != 0) AddStep(recipe, Op::kTableImport);
          AddStep(recipe, Op::kDropArray);
          AddStep(recipe, Op::kDropSource);
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!WasCalled(ledger, judgement, TableFunction::kFromObject)) return;
          bool any = false;
          for (const TableCall& call : ledger.tables[0].calls) any = any || (call.called != 0 && call.status == 0);
          for (int i = 0; i < kTableFunctions; ++i) {
            const auto function = static_cast<TableFunction>(i);
            const TableCall& call = CallOf(ledger, function);
            Check(call.called == 0 || call.status == 0, ledger, judgement, "XAPI-USE-04", Key(function, ".status"), "0",
                  any ? "a function refuses the plainest array" : "every function refuses the plainest array",
                  any ? Degree::kNote : Degree::kWarn);
          }
        },
}};

// XAPI-STREAM-02: For the CPU any stream will do. XAPI-STREAM-05: For a device that it cannot serve the function fails
// with an exception, or succeeds and writes its out parameter.
const Register kStream{{
    .id = "exchange-api/functions/the-work-stream-is-answered",
    .rules = {"XAPI-RET-04", "XAPI-RET-01", "XAPI-RET-02", "XAPI-STREAM-02", "XAPI-STREAM-05"},
    .role = Role::kExchange,
    .examples = Examples::kTable,
    .table = 2,
    .python = true,
    .draw = [](Draw& draw) { return WithLife(AnyArray(draw), {{.op = Op::kTableStream, .argument = draw.index}}); },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (!WasCalled(ledger, judgement, TableFunction::kStream)) return;
          JudgeReturn(ledger, judgement, TableFunction::kStream);
        },
}};

}  // namespace
}  // namespace dlpack_cts
