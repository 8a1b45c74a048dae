// suites/exchange-api/functions_export.cc: how the functions of the exchange table that export an array keep their
// contracts.
#include "harness/recipe/laws.h"
#include "suites/exchange-api/table_calls.h"

namespace dlpack_cts {
namespace {

const RegisterCases<OfPythonExchange> kCases = {
    // XAPI-FROM-05, XAPI-USE-04: The export by managed_tensor_from_py_object_no_sync obeys the C rules and equals the
    // array. XAPI-RET-01, XAPI-RET-02, XAPI-RET-04: Status, exception and out parameter agree. XAPI-VER-06: The tensor
    // has the major version of the table. XAPI-FROM-06: The export does not copy. C-LAYOUT-09: The table is a header of
    // 16 bytes and five functions in their published order.
    {.id = "exchange-api/functions/from-object-exports-the-array",
     .rules = {"XAPI-USE-04", "XAPI-FROM-05", "XAPI-FROM-06", "XAPI-RET-01", "XAPI-RET-02", "XAPI-RET-04",
               "XAPI-VER-06", "C-LAYOUT-09"},
     .on_refusal = OnRefusal::kJudge,
     .draw = WithLife(AnyArrayOfAnySize,
                      {Op::kMake, Op::kTableExport, Op::kInspect, Op::kReadExport, Op::kDelete, Op::kDropSource}),
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Returned(ledger, judgement, TableFunction::kFromObject)) return;
           const ExportLedger& record = ledger.exports[0];
           if (!Exported(ledger) || record.struct_address == 0) return judgement.SaysNothing("nothing was exported");
           judgement.Expect("export0.version", IsPublishedVersion(),
                            "version.major of the exported tensor is not that of the exchange table",
                            {.rule = "XAPI-VER-06", .when = record.version.major != ledger.tables[0].version.major});
           if (!DescribesSource(recipe, ledger, judgement, "XAPI-USE-04", "XAPI-USE-04")) return;
           const bool needs_strides = record.tensor.ndim > 0 && record.version.minor >= 2;
           judgement.Expect("export0.null_strides", Is(false),
                            "dl_tensor.strides is NULL in a tensor of version 1.2 or later",
                            {.rule = "XAPI-FROM-05", .when = needs_strides});
           judgement.Expect("export0.changed", Is(PartSet{}),
                            "the exported struct changed before its deleter was called", {.rule = "XAPI-FROM-05"});
           const bool copied = (record.flags & abi::kFlagIsCopied) != 0;
           if (record.place.area != Area::kUnknown && !IsEmpty(recipe.request()) && !copied) {
             judgement.Expect(
                 "export0.points_at_source", Is(true),
                 "the exported tensor is not in the array's memory, and DLPACK_FLAG_BITMASK_IS_COPIED is not set",
                 {.rule = "XAPI-FROM-06"});
           }
         }},

    // XAPI-FROM-06: managed_tensor_from_py_object_no_sync shares an array that __dlpack__ shares, so that its storage
    // can
    // be described.
    {.id = "exchange-api/functions/from-object-shares-what-dlpack-shares",
     .rules = {"XAPI-FROM-06"},
     .draw =
         [](Draw& draw) {
           Recipe recipe = AnyArray(draw);
           recipe.call() = draw.PlainCall();
           if (draw.profile.takes_keywords != 0) recipe.call().max_version = kNewestVersion;
           return MadeThen(recipe, {{Op::kTableExport}, {.op = Op::kExport, .slot = 1}, {Op::kDropSource}});
         },
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!WasCalled(ledger, judgement, TableFunction::kFromObject)) return;
           const bool shares = ledger.exports[1].versioned != 0 && ledger.exports[1].IsAtSource();
           if (!Exported(ledger) || IsEmpty(recipe.request()) || !shares) {
             return judgement.SaysNothing(
                 "__dlpack__ does not share the array in a versioned struct, or it is refused");
           }
           judgement.Expect("export0.points_at_source", Is(true),
                            "managed_tensor_from_py_object_no_sync copies an array that __dlpack__ shares");
         }},

    // XAPI-FROM-01: The caller owns the tensor: it outlives the array, and its deleter, called once, frees everything.
    {.id = "exchange-api/functions/an-exported-tensor-is-owned-by-its-caller",
     .rules = {"XAPI-FROM-01"},
     .draw = WithLife(AnyArray, {{Op::kMake},
                                 {Op::kTableExport},
                                 {Op::kTableExport, 1},
                                 {Op::kDelete, 1},
                                 {Op::kDropSource},
                                 {Op::kCollect},
                                 {Op::kReadExport},
                                 {Op::kDelete},
                                 {Op::kCollect}}),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (!WasCalled(ledger, judgement, TableFunction::kFromObject)) return;
           if (!Exported(ledger)) return judgement.SaysNothing("nothing was exported");
           if (!WasRight(ledger, judgement, 0)) return;
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
    // XAPI-RET-03: The function does not throw a C++ exception. XAPI-USE-04: The view has the elements of the array.
    {.id = "exchange-api/functions/a-view-describes-the-array",
     .rules = {"XAPI-DLT-01", "XAPI-DLT-02", "XAPI-DLT-06", "XAPI-DLT-07", "XAPI-USE-04", "XAPI-RET-03", "XAPI-RET-04",
               "XAPI-TAB-04", "C-LAYOUT-09"},
     .on_refusal = OnRefusal::kJudge,
     // Nothing between the two views and the inspection returns to Python.
     .draw = WithLife(AnyArrayOfAnySize, {{Op::kMake},
                                          {Op::kTableFind},
                                          {Op::kTableView},
                                          {Op::kTableView, 1},
                                          {Op::kInspect},
                                          {Op::kReadExport},
                                          {Op::kDropSource},
                                          {Op::kCollect}}),
     .uncontrolled = uncontrolled::kResults,
     .judge =
         [](const Recipe& recipe, const Ledger& ledger, Judgement& judgement) {
           if (!Returned(ledger, judgement, TableFunction::kView)) return;
           if (!Exported(ledger)) return judgement.SaysNothing("nothing was exported");
           if (!DescribesSource(recipe, ledger, judgement, "XAPI-DLT-02", "XAPI-USE-04")) return;
           judgement.Expect("export0.changed", Is(PartSet{}),
                            "a second call of dltensor_from_py_object_no_sync overwrote the result of the first call",
                            {.rule = "XAPI-DLT-06"});
           if (ledger.sources[0].alive_known != 0) {
             judgement.Expect("source0.alive_at_end", AnyOf(false, kNothing),
                              "the array is still referenced after dltensor_from_py_object_no_sync was called");
           }
         }},
};

}  // namespace
}  // namespace dlpack_cts
