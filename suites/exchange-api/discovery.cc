// suites/exchange-api/discovery.cc: where the table of the C exchange API is found, and what its header says.

#include "harness/case/case.h"
#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

/// Two lookups on two arrays, some garbage collection, and two more.
Recipe LookUp(Draw& draw) {
  Limits limits = draw.limits();
  limits.read_only = false;
  Recipe recipe = draw.Export(limits);
  SetLife(recipe, {Op::kMake, Op::kTableFind, Op::kCollect, Op::kTableFind, Op::kDropSource});
  return recipe;
}

bool Published12(const TableLedger& table) {
  return table.current == Published::kNot && table.older == Published::kInt;
}

/// A library may have no exchange API at all.
bool Absent(const TableLedger& table, Judgement& judgement) {
  if (table.looked == 0) {
    judgement.SaysNothing("this subject does not support the lookup of an exchange table");
  } else if (table.current == Published::kNot && table.older == Published::kNot) {
    judgement.SaysNothing("the array type has neither __dlpack_c_exchange_api__ nor __c_dlpack_exchange_api__");
  } else {
    return false;
  }
  return true;
}

/// The table is valid only as long as its capsule is held.
bool EndsWithItsCapsule(const TableLedger& table) { return table.found == 0 && table.changed != 0; }

bool NoTable(const Ledger& ledger, Judgement& judgement) {
  if (Absent(ledger.tables[0], judgement)) return true;
  if (ledger.tables[0].found != 0) return false;
  judgement.SaysNothing("the published attribute does not lead to an exchange table of major version 1");
  return true;
}

/// The functions that may not be NULL, and the rule for each.
struct Slot {
  TableFunction function;
  std::string_view rule;
  std::string_view message;
};
constexpr Slot kSlotRules[] = {
    {TableFunction::kAllocator, "XAPI-TAB-01", "managed_tensor_allocator is NULL in the exchange table"},
    {TableFunction::kFromObject, "XAPI-TAB-02", "managed_tensor_from_py_object_no_sync is NULL in the exchange table"},
    {TableFunction::kToObject, "XAPI-TAB-03", "managed_tensor_to_py_object_no_sync is NULL in the exchange table"},
    {TableFunction::kStream, "XAPI-TAB-05", "current_work_stream is NULL in the exchange table"}};

const RegisterCases<OfPythonExchange> kCases = {
    // XAPI-DISC-01: The table is published on the array type as a capsule named dlpack_exchange_api.
    // XAPI-DISC-02: The attribute of 1.2 holds an int. If both attributes exist, both lead to usable tables.
    {.id = "exchange-api/discovery/the-type-carries-a-named-capsule",
     .rules = {"XAPI-DISC-01", "XAPI-DISC-02"},
     .examples = Examples::kTable,
     .table = 4,
     .draw =
         [](Draw& draw) {
           Recipe recipe = LookUp(draw);
           // A subclass has its own attribute, or that of its base class.
           const bool odd = draw.index == 3 && draw.profile.Claims(Claim::kOddities);
           if (odd) recipe.request().oddity = Oddity::kSubclass;
           return recipe;
         },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           const TableLedger& table = ledger.tables[0];
           if (Absent(table, judgement)) return;
           if (Published12(table)) {
             judgement.Expect(
                 "table0.current", Is(Published::kCapsule),
                 "the exchange table is published only as __c_dlpack_exchange_api__, the attribute of DLPack 1.2",
                 {.rule = "XAPI-DISC-02", .degree = Degree::kNote});
             return;
           }
           if (table.current == Published::kInt) {
             judgement.Expect("table0.current", Is(Published::kCapsule),
                              "__dlpack_c_exchange_api__ is an int instead of a capsule", {.rule = "XAPI-DISC-02"});
             return;
           }
           if (table.current == Published::kOnObject) {
             judgement.Expect("table0.current", Is(Published::kCapsule),
                              "__dlpack_c_exchange_api__ is an attribute of the array, but not of its type");
             return;
           }
           if (table.current != Published::kNot) {
             judgement.Expect("table0.current", Is(Published::kCapsule),
                              "__dlpack_c_exchange_api__ is not a capsule named dlpack_exchange_api");
           }
           // DLPack 1.3 does not specify the old attribute.
           const bool open = table.readable != 0 && table.version.major == 1 && table.version.minor >= 3;
           judgement.Expect("table0.older", AnyOf(Published::kNot, Published::kInt),
                            "__c_dlpack_exchange_api__ is not an int",
                            {.rule = "XAPI-DISC-02", .degree = open ? Degree::kNote : Degree::kRule});
           if (table.version.major > 1)
             return judgement.SaysNothing("the exchange table has another major version than 1");
           if (EndsWithItsCapsule(table)) return judgement.Holds();
           judgement.Expect("table0.found", Is(true),
                            "the published attribute does not lead to a usable exchange table",
                            {.rule = table.current == Published::kNot ? "XAPI-DISC-02" : "XAPI-DISC-01"});
         }},

    // XAPI-DISC-04: One static table is shared by all instances of the type.
    // XAPI-DISC-05: The table stays alive and unchanged until the process ends.
    {.id = "exchange-api/discovery/the-table-is-static",
     .rules = {"XAPI-DISC-05", "XAPI-DISC-04"},
     .examples = Examples::kTable,
     .table = 6,
     .draw = &LookUp,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (EndsWithItsCapsule(ledger.tables[0])) {
             judgement.Expect("table0.changed", Is(false),
                              "the exchange table changed or became unreadable when its capsule was dropped");
             return;
           }
           if (NoTable(ledger, judgement)) return;
           judgement.Expect("table0.changed", Is(false), "the exchange table changed or became unreadable");
           judgement.Expect("table0.moved", Is(false),
                            "two lookups on one array type returned different exchange tables",
                            {.rule = "XAPI-DISC-04"});
         }},

    // XAPI-VER-03: The chain of older tables ends with NULL.
    // XAPI-VER-04: The tables of the prev_api chain have older versions.
    // XAPI-VER-05: The layout of the header never changes. XAPI-VER-06: Its version is that of the table.
    {.id = "exchange-api/discovery/the-chain-of-older-tables-ends",
     .rules = {"XAPI-VER-03", "XAPI-VER-04", "XAPI-VER-05", "XAPI-VER-06"},
     .examples = Examples::kTable,
     .table = 1,
     .draw = &LookUp,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (Absent(ledger.tables[0], judgement)) return;
           const TableLedger& table = ledger.tables[0];
           if (table.address == 0)
             return judgement.SaysNothing("the published attribute does not lead to an exchange table");
           // With another layout, neither the version nor the rest of the table could be right.
           constexpr uint32_t kLikely = 99;
           const bool layout = table.found != 0 || table.version.major <= kLikely;
           if (!judgement.Expect("table0.found", Is(true),
                                 "the header of the exchange table does not hold a valid version",
                                 {.rule = "XAPI-VER-05", .when = !layout})) {
             return;
           }
           judgement.Expect("table0.chain_ends", Is(true),
                            "the prev_api chain of the exchange table does not end with NULL");
           judgement.Expect("table0.chain_ascends", Is(false),
                            "a table in the prev_api chain has a later version than the table that points to it",
                            {.rule = "XAPI-VER-04"});
           if (EndsWithItsCapsule(table)) return;
           // Its tensors have major version 1, so a table of another major version does not fit them.
           judgement.Expect("table0.found", Is(true),
                            "the exchange table does not have major version 1, the version of its tensors",
                            {.rule = "XAPI-VER-06"});
         }},

    // XAPI-TAB-01: The allocator is not NULL.
    // XAPI-TAB-02: managed_tensor_from_py_object_no_sync is not NULL.
    // XAPI-TAB-03: managed_tensor_to_py_object_no_sync is not NULL.
    // XAPI-TAB-04: dltensor_from_py_object_no_sync may be NULL.
    // XAPI-TAB-05: current_work_stream is not NULL.
    {.id = "exchange-api/discovery/no-slot-but-one-is-null",
     .rules = {"XAPI-TAB-01", "XAPI-TAB-02", "XAPI-TAB-03", "XAPI-TAB-04", "XAPI-TAB-05"},
     .examples = Examples::kTable,
     .table = 1,
     .draw = &LookUp,
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (NoTable(ledger, judgement)) return;
           for (const Slot& slot : kSlotRules) {
             judgement.Expect(
                 "table0.null_slots",
                 Lacks(FunctionBit(slot.function)).Rather(FunctionSet{}, FunctionBit(TableFunction::kView)),
                 slot.message, {.rule = slot.rule});
           }
         }},
};

}  // namespace
}  // namespace dlpack_cts
