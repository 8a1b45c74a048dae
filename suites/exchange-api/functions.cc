// suites/exchange-api/functions.cc: each function of the exchange table does what its contract says.
#include <algorithm>
#include <initializer_list>
#include <string>

#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "suites/exchange-api/table_calls.h"
#include "suites/exchange-api/unusable.h"

namespace dlpack_cts {
namespace {

/// Judges the parts of an exported tensor that do not depend on how it was exported.
bool DescribesSource(const Recipe& recipe, const Ledger& ledger, Judgement& judgement, std::string_view rule) {
  const ExportLedger& record = ledger.exports[0];
  if (record.metadata_readable == 0) {
    return judgement.Expect("export0.metadata_readable", Is(true),
                            "dl_tensor.shape or dl_tensor.strides of the exported tensor cannot be read",
                            {.rule = rule});
  }
  const abi::DLDataType made = recipe.request().dtype;
  const abi::DLDataType got = record.tensor.dtype;
  if (IsSubByte(made) && got.lanes == 2 && got.code == made.code && got.bits == made.bits) {
    judgement.SaysNothing("the sub-byte elements are exported in pairs, with dtype.lanes 2");
    return false;
  }
  const bool same_shape = record.tensor.ndim == recipe.request().dims &&
                          std::equal(record.shape, record.shape + recipe.request().dims, recipe.request().shape);
  if (!same_shape) {
    return judgement.Expect("export0.shape",
                            Is(std::span<const int64_t>(recipe.request().shape, recipe.request().dims)),
                            "dl_tensor.shape is not the shape of the array", {.rule = rule});
  }
  if (!(record.tensor.dtype == recipe.request().dtype)) {
    return judgement.Expect("export0.dtype", Is(recipe.request().dtype),
                            "dl_tensor.dtype is not the dtype of the array", {.rule = rule});
  }
  return ExportMatches(judgement, "the elements of the tensor from the exchange table are not those of the array",
                       {.rule = rule});
}

bool IsEmpty(const Recipe& recipe) { return ElementCount(recipe.request().shape, recipe.request().dims) == 0; }

/// Any layout is right in which no two elements have the same address.
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
  return judgement.Expect("export0.strides", Is(std::span<const int64_t>(compact, recipe.request().dims)),
                          "two elements of the allocated tensor have the same address",
                          {.rule = "XAPI-ALLOC-10", .when = shares});
}

/// An import recipe for the table: a versioned tensor, and an array whose type has the table. Negative strides have a
/// separate case: a library that crashes because of them would hide everything else.
Recipe TableImportRecipe(Draw& draw) {
  Recipe recipe = draw.ImportOf(StructKind::kVersioned);
  for (int64_t& stride : recipe.offer().strides) stride = Magnitude(stride);
  SetLife(recipe, {Op::kMake, Op::kTableImport, Op::kDescribe, Op::kRead, Op::kCompute, Op::kDropArray, Op::kCollect});
  return recipe;
}

/// Judges an import through the table, whether it was accepted or refused.
void JudgeImport(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  if (!WasCalled(ledger, judgement, TableFunction::kToObject)) return;
  JudgeReturn(ledger, judgement, TableFunction::kToObject);
  if (!Accepted(ledger)) {
    judgement.Expect("import0.deleter.calls", AtMost(1), "the deleter of a refused tensor was called more than once",
                     {.rule = "XAPI-TO-05"});
    return judgement.SaysNothing("the tensor was refused");
  }
  judgement.Expect("table0.object_is_foreign", Is(false),
                   "managed_tensor_to_py_object_no_sync returned an object that is not an array of the library",
                   {.rule = "XAPI-TO-02"});
  if (!ShapeMatches(recipe, judgement, {.rule = "XAPI-TO-02"})) return;
  if (!ElementsMatch(judgement, {.rule = "XAPI-TO-02"})) return;
  ReleasedOnce(recipe, judgement, {.rule = "XAPI-TO-01"});
}

/// A library that reads a tensor only when it is used reports nothing about it before.
bool RaisesWhenUsed(const Ledger& ledger) {
  const ImportLedger& import = ledger.imports[0];
  const Description& told = import.result;
  const bool tells = told.has_pointer != 0 || told.has_shape != 0 || told.has_device != 0 || !told.dtype_name.empty();
  return Accepted(ledger) && !tells && import.library.raised != 0;
}

/// An unlikely request was allocated nevertheless: then the tensor must be exactly what was requested.
void JudgeUnlikely(const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
  const ExportLedger& record = ledger.exports[0];
  if (!Exported(ledger) || record.struct_address == 0) return;
  constexpr int32_t kNoDevice = 77;
  switch (static_cast<Prototype>(recipe.steps[1].argument)) {
    case Prototype::kForeignDevice:
      judgement.Expect("export0.device", OfType(abi::DLDevice{kNoDevice, 0}),
                       "the allocated tensor is not on the requested device", {.rule = "XAPI-ALLOC-02"});
      return;
    case Prototype::kForeignType:
      judgement.Expect("export0.dtype", Is(abi::DLDataType{200, 7, 1}),
                       "dl_tensor.dtype of the allocated tensor is not the requested dtype", {.rule = "XAPI-ALLOC-03"});
      return;
    case Prototype::kHuge:
      // The address space of a machine is too small for these elements.
      judgement.Expect("table0.allocator.status", Is(-1),
                       "managed_tensor_allocator returned 0 for more elements than the address space can hold",
                       {.rule = "XAPI-ALLOC-03"});
      return;
    default:
      return;
  }
}

/// Each unlikely prototype is a row. The product that is too large has another row with two extents, where it wraps.
constexpr int kUnlikely = static_cast<int>(Prototype::kCount);

/// The simplest array of that rank, or of the nearest rank that the library makes.
Recipe OfRank(Draw& draw, int rank) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  recipe.request() = draw.PlainRequest();
  recipe.request().dims = static_cast<uint8_t>(draw.MadeRank(rank));
  std::fill_n(recipe.request().shape, recipe.request().dims, 2);
  return recipe;
}

const RegisterCases<OfPythonExchange> kCases = {
    // XAPI-FROM-05, XAPI-USE-04: The export by managed_tensor_from_py_object_no_sync obeys the C rules and equals the
    // array. XAPI-RET-01, XAPI-RET-02, XAPI-RET-04: Status, exception and out parameter agree. XAPI-VER-06: The tensor
    // has the major version of the table. XAPI-FROM-06: The export does not copy. C-LAYOUT-09: The table is a header of
    // 16 bytes and five functions in their published order.
    {.id = "exchange-api/functions/from-object-exports-the-array",
     .rules = {"XAPI-USE-04", "XAPI-FROM-05", "XAPI-FROM-06", "XAPI-RET-01", "XAPI-RET-02", "XAPI-RET-04",
               "XAPI-VER-06", "C-LAYOUT-09"},
     .on_refusal = OnRefusal::kJudge,
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
           judgement.Expect("export0.version", IsPublishedVersion(),
                            "version.major of the exported tensor is not that of the exchange table",
                            {.rule = "XAPI-VER-06", .when = record.version.major != ledger.tables[0].version.major});
           if (!DescribesSource(recipe, ledger, judgement, "XAPI-USE-04")) return;
           const bool needs_strides = record.tensor.ndim > 0 && record.version.minor >= 2;
           judgement.Expect("export0.null_strides", Is(false),
                            "dl_tensor.strides is NULL in a tensor of version 1.2 or later",
                            {.rule = "XAPI-FROM-05", .when = needs_strides});
           judgement.Expect("export0.changed", Is(PartSet{}),
                            "the exported struct changed before its deleter was called", {.rule = "XAPI-FROM-05"});
           const bool copied = (record.flags & abi::kFlagIsCopied) != 0;
           if (record.place.area != Area::kUnknown && !IsEmpty(recipe) && !copied) {
             judgement.Expect(
                 "export0.points_at_source", Is(true),
                 "the exported tensor is not in the array's memory, and DLPACK_FLAG_BITMASK_IS_COPIED is not set",
                 {.rule = "XAPI-FROM-06"});
           }
         }},

    // XAPI-FROM-01: The caller owns the tensor: it outlives the array, and its deleter, called once, frees everything.
    {.id = "exchange-api/functions/an-exported-tensor-is-owned-by-its-caller",
     .rules = {"XAPI-FROM-01"},
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
           ExportMatches(judgement, "the elements of the exported tensor are wrong after the array was dropped");
           if (ledger.exports[0].has_deleter != 0 && ledger.sources[0].alive_known != 0) {
             judgement.Expect("source0.alive_at_end", AnyOf(false, kNothing),
                              "the array is still referenced after the deleter of its exported tensor was called");
           }
         }},

    // XAPI-DLT-01: dltensor_from_py_object_no_sync fills the caller's struct and does not keep a reference for it.
    // XAPI-DLT-02: Shape and strides stay valid until control returns.
    // XAPI-DLT-06, XAPI-DLT-07: A later export does not overwrite an earlier one while the array is alive.
    // XAPI-TAB-04: A value other than NULL is a function. C-LAYOUT-09: It is the function at this position of the
    // struct.
    // XAPI-RET-03: The function does not throw a C++ exception.
    {.id = "exchange-api/functions/a-view-describes-the-array",
     .rules = {"XAPI-DLT-01", "XAPI-DLT-02", "XAPI-DLT-06", "XAPI-DLT-07", "XAPI-RET-03", "XAPI-RET-04", "XAPI-TAB-04",
               "C-LAYOUT-09"},
     .on_refusal = OnRefusal::kJudge,
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
           judgement.Expect("export0.changed", Is(PartSet{}),
                            "a second call of dltensor_from_py_object_no_sync overwrote the result of the first call",
                            {.rule = "XAPI-DLT-06"});
           if (ledger.sources[0].alive_known != 0) {
             judgement.Expect("source0.alive_at_end", AnyOf(false, kNothing),
                              "the array is still referenced after dltensor_from_py_object_no_sync was called");
           }
         }},

    // XAPI-TO-01: managed_tensor_to_py_object_no_sync takes ownership of the tensor and releases it exactly once.
    // XAPI-TO-02: It returns an array of the library that the caller owns.
    {.id = "exchange-api/functions/to-object-takes-the-tensor-over",
     .rules = {"XAPI-TO-01", "XAPI-TO-02", "XAPI-TO-05", "XAPI-RET-01", "XAPI-RET-02", "XAPI-RET-04"},
     .on_refusal = OnRefusal::kJudge,
     .draw = &TableImportRecipe,
     .judge = &JudgeImport},

    // XAPI-TO-04: managed_tensor_to_py_object_no_sync imports negative strides, or refuses them with an exception.
    {.id = "exchange-api/functions/to-object-takes-or-refuses-negative-strides",
     .rules = {"XAPI-TO-04", "XAPI-TO-02", "XAPI-TO-05"},
     .on_refusal = OnRefusal::kJudge,
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
     .judge = &JudgeImport},

    // XAPI-TO-04: managed_tensor_to_py_object_no_sync refuses a tensor of an unsupported major version, or the first
    // use of the object raises an exception.
    {.id = "exchange-api/functions/to-object-refuses-a-foreign-major",
     .rules = {"XAPI-TO-04", "XAPI-TO-05", "XAPI-RET-01", "XAPI-RET-02"},
     .examples = Examples::kTable,
     .table = 4,
     .on_refusal = OnRefusal::kJudge,
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
             ReleasedOnce(recipe, judgement, {.rule = "XAPI-TO-01"});
             return;
           }
           judgement.Expect("import0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused),
                            "a tensor with an unsupported version.major was imported");
           judgement.Expect("import0.deleter.calls", AtMost(1),
                            "the deleter of a refused tensor was called more than once",
                            {.rule = "XAPI-TO-05", .when = !Accepted(ledger)});
         }},

    // XAPI-TO-04: managed_tensor_to_py_object_no_sync does not import an unsupported dtype or device as another one.
    // XAPI-TO-05: The deleter of a refused tensor is called at most once.
    {.id = "exchange-api/functions/to-object-makes-nothing-else-of-a-tensor",
     .rules = {"XAPI-TO-04", "XAPI-TO-05", "XAPI-RET-01", "XAPI-RET-02"},
     .on_refusal = OnRefusal::kJudge,
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
             judgement.Expect("import0.deleter.calls", AtMost(1),
                              "the deleter of a refused tensor was called more than once", {.rule = "XAPI-TO-05"});
             return;
           }
           NotTakenForHost(recipe, judgement, "a tensor on another device was imported as an array on the CPU");
           if (ledger.imports[0].result.known_dtype == 0) return;
           DtypeMatches(recipe.offer().dtype, judgement,
                        "a tensor with a dtype that does not exist was imported with another dtype");
         }},

    // XAPI-ALLOC-01, XAPI-ALLOC-04, XAPI-ALLOC-09: The allocator reads dtype, ndim, shape and device of its prototype.
    // It does not keep pointers into the prototype and does not write to it. XAPI-ALLOC-02, XAPI-ALLOC-03: The tensor
    // is new and writable, and has the requested shape, dtype and device. C-OWN-17: A DLTensor does not carry
    // ownership: the allocator does not free or keep the prototype. XAPI-ALLOC-05: SetError is not called on success.
    // XAPI-ALLOC-08: On success there is a tensor.
    {.id = "exchange-api/functions/the-allocator-gives-what-was-asked-for",
     .rules = {"XAPI-ALLOC-03", "XAPI-ALLOC-01", "XAPI-ALLOC-02", "XAPI-ALLOC-04", "XAPI-ALLOC-05", "XAPI-ALLOC-08",
               "XAPI-ALLOC-09", "XAPI-ALLOC-10", "C-OWN-17"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = AnyArray(draw);
           Request& request = recipe.request();
           // Many vectors, so that memory that is too small for them is noticed.
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
           judgement.Expect("table0.prototype_changed", Is(false), "managed_tensor_allocator wrote to its prototype",
                            {.rule = "XAPI-ALLOC-09"});
           const ExportLedger& record = ledger.exports[0];
           if (!Exported(ledger) || record.struct_address == 0) return judgement.SaysNothing("nothing was allocated");
           judgement.Expect("table0.set_errors", Is(0), "managed_tensor_allocator returned 0 and called SetError",
                            {.rule = "XAPI-ALLOC-05"});
           judgement.Expect("export0.device", OfType(abi::DLDevice{1, 0}),
                            "the allocated tensor is not on the requested device", {.rule = "XAPI-ALLOC-02"});
           judgement.Expect("export0.flags", LacksFlag(abi::kFlagReadOnly),
                            "DLPACK_FLAG_BITMASK_READ_ONLY is set on the allocated tensor");
           if (record.metadata_readable != 0 && record.tensor.ndim > 0 && record.tensor.ndim <= kDims &&
               record.shape[0] == 0x5A5A5A5A5A5A5A5A) {
             judgement.Expect("export0.shape",
                              Is(std::span<const int64_t>(recipe.request().shape, recipe.request().dims)),
                              "dl_tensor.shape of the allocated tensor points to the shape of the prototype",
                              {.rule = "XAPI-ALLOC-04"});
             return;
           }
           if (!HasRoom(recipe, ledger, judgement)) return;
           if (!judgement.Expect("export0.null_data", Is(false),
                                 "dl_tensor.data of the allocated tensor is NULL although the tensor has elements",
                                 {.when = !IsEmpty(recipe)})) {
             return;
           }
           const bool writable =
               record.tensor.device.device_type == abi::kDLCPU && (record.flags & abi::kFlagReadOnly) == 0;
           judgement.Expect("export0.write_export", AnyOf(WriteShown::kNotRun, WriteShown::kShown),
                            "the elements of the allocated tensor extend beyond its memory", {.when = writable});
           DescribesSource(recipe, ledger, judgement, "XAPI-ALLOC-03");
         }},

    // XAPI-ALLOC-05: SetError is called if and only if the allocator fails.
    // XAPI-ALLOC-06: SetError gets the caller's context and two texts.
    // XAPI-ALLOC-02, XAPI-ALLOC-03: If the allocation succeeds, the tensor has that device, that dtype and enough
    // memory.
    {.id = "exchange-api/functions/the-allocator-reports-failure-once",
     .rules = {"XAPI-ALLOC-05", "XAPI-ALLOC-06", "XAPI-ALLOC-08", "XAPI-RET-03", "XAPI-ALLOC-02", "XAPI-ALLOC-03"},
     .examples = Examples::kTable,
     .table = kUnlikely,
     .on_refusal = OnRefusal::kJudge,
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
             judgement.Expect("table0.set_errors", Is(0), "managed_tensor_allocator returned 0 and called SetError");
             return JudgeUnlikely(recipe, ledger, judgement);
           }
           if (!judgement.Expect("table0.set_errors", Is(1), "managed_tensor_allocator failed without calling SetError",
                                 {.when = table.set_errors <= 0})) {
             return;
           }
           judgement.Expect("table0.set_errors", Is(1), "managed_tensor_allocator called SetError more than once",
                            {.degree = Degree::kNote});
           judgement.Expect("table0.error_context_wrong", Is(false),
                            "managed_tensor_allocator did not pass the caller's error_ctx to SetError",
                            {.rule = "XAPI-ALLOC-06"});
           judgement.Expect("table0.error_text_missing", Is(false),
                            "managed_tensor_allocator passed a NULL kind or message to SetError",
                            {.rule = "XAPI-ALLOC-06"});
         }},

    // XAPI-USE-04: The table and __dlpack__ give the same array where both succeed. A function may refuse what
    // __dlpack__ exports. A table is useless if every function refuses the simplest array.
    {.id = "exchange-api/functions/plain-arrays-are-served",
     .rules = {"XAPI-USE-04"},
     .on_refusal = OnRefusal::kJudge,
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
             judgement.Expect("table0.T.status", Is(0),
                              any ? HeaderName(function) + " fails for the simplest array"
                                  : "every function of the exchange table fails for the simplest array",
                              {.index = static_cast<int>(function),
                               .degree = any ? Degree::kNote : Degree::kWarn,
                               .when = call.called != 0});
           }
         }},

    // XAPI-STREAM-02: For the CPU any stream is right. XAPI-STREAM-05: For an unsupported device current_work_stream
    // fails with an exception, or succeeds and writes its out parameter.
    {.id = "exchange-api/functions/the-work-stream-is-answered",
     .rules = {"XAPI-RET-04", "XAPI-RET-01", "XAPI-RET-02", "XAPI-STREAM-02", "XAPI-STREAM-05"},
     .examples = Examples::kTable,
     .table = 2,
     .draw = [](Draw& draw) { return WithLife(AnyArray(draw), {{.op = Op::kTableStream, .argument = draw.index}}); },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!WasCalled(ledger, judgement, TableFunction::kStream)) return;
           JudgeReturn(ledger, judgement, TableFunction::kStream);
         }},
};

}  // namespace
}  // namespace dlpack_cts
