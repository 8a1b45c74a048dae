// suites/exchange-api/discovery.cc: where the table of the C exchange API is found, and what its header promises.
#include <algorithm>

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

/// A library need not offer the API at all.
bool Absent(const TableLedger& table, Judgement& judgement) {
  if (table.looked == 0) {
    judgement.SaysNothing("the subject cannot look a table up");
  } else if (table.current == Published::kNot && table.older == Published::kNot) {
    judgement.SaysNothing("the type publishes no exchange API");
  } else {
    return false;
  }
  return true;
}

bool NoTable(const Ledger& ledger, Judgement& judgement) {
  if (Absent(ledger.tables[0], judgement)) return true;
  if (ledger.tables[0].found != 0) return false;
  judgement.SaysNothing("no table of major version 1 was reached");
  return true;
}

// XAPI-DISC-01: The table is published on the array type as a capsule named dlpack_exchange_api.
// XAPI-DISC-02: The attribute of 1.2 holds an int; where both exist, both lead to usable tables.
const Register kPublished{{
    .id = "exchange-api/discovery/the-type-carries-a-named-capsule",
    .rules = {"XAPI-DISC-01", "XAPI-DISC-02"},
    .role = Role::kExchange,
    .examples = Examples::kTable,
    .table = 4,
    .python = true,
    .draw =
        [](Draw& draw) {
          Recipe recipe = LookUp(draw);
          // A subclass has the attribute of its own, or that of its base.
          const bool odd = draw.index == 3 && draw.profile.Claims(Claim::kOddities);
          if (odd) recipe.request().oddity = Oddity::kSubclass;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const TableLedger& table = ledger.tables[0];
          if (Absent(table, judgement)) return;
          if (Published12(table)) {
            Check(false, ledger, judgement, "XAPI-DISC-02", "table0.current", "capsule",
                  "the table is published in the style of 1.2 only", Degree::kNote);
            return;
          }
          if (table.current == Published::kInt) {
            Check(false, ledger, judgement, "XAPI-DISC-02", "table0.current", "capsule",
                  "the name of 1.3 holds an int, as the name of 1.2 did");
            return;
          }
          if (table.current != Published::kNot) {
            Check(table.current == Published::kCapsule, ledger, judgement, "XAPI-DISC-01", "table0.current", "capsule",
                  "the attribute is no capsule named dlpack_exchange_api");
          }
          // A table of 1.3 leaves the old name open.
          const bool open = table.readable != 0 && table.version.major == 1 && table.version.minor >= 3;
          Check(table.older == Published::kNot || table.older == Published::kInt, ledger, judgement, "XAPI-DISC-02",
                "table0.older", "not | int", "the name of 1.2 holds something other than an int",
                open ? Degree::kNote : Degree::kRule);
          if (table.version.major > 1) return judgement.SaysNothing("the table is one of another major version");
          Check(table.found != 0, ledger, judgement, table.current == Published::kNot ? "XAPI-DISC-02" : "XAPI-DISC-01",
                "table0.found", "1", "the attribute leads to no table that can be used");
        },
}};

// XAPI-DISC-04: One static table is shared by all instances of the type.
// XAPI-DISC-05: The table stays alive and unchanged as long as the process.
const Register kStatic{{
    .id = "exchange-api/discovery/the-table-is-static",
    .rules = {"XAPI-DISC-05", "XAPI-DISC-04"},
    .role = Role::kExchange,
    .examples = Examples::kTable,
    .table = 6,
    .python = true,
    .draw = &LookUp,
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (NoTable(ledger, judgement)) return;
          Check(ledger.tables[0].changed == 0, ledger, judgement, "XAPI-DISC-05", "table0.changed", "0",
                "the table changed, or could no longer be read");
          Check(ledger.tables[0].moved == 0, ledger, judgement, "XAPI-DISC-04", "table0.moved", "0",
                "two lookups on one type led to two tables");
        },
}};

// XAPI-VER-03: The chain of older tables ends with NULL.
// XAPI-VER-04: Entries behind prev_api carry older versions.
// XAPI-VER-05: The layout of the header never changes. XAPI-VER-06: Its version is that of the table.
const Register kChain{{
    .id = "exchange-api/discovery/the-chain-of-older-tables-ends",
    .rules = {"XAPI-VER-03", "XAPI-VER-04", "XAPI-VER-05", "XAPI-VER-06"},
    .role = Role::kExchange,
    .examples = Examples::kTable,
    .table = 1,
    .python = true,
    .draw = &LookUp,
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (Absent(ledger.tables[0], judgement)) return;
          const TableLedger& table = ledger.tables[0];
          if (table.address == 0) return judgement.SaysNothing("the attribute leads to no table");
          // With another layout neither the version nor what is behind the header could be right.
          constexpr uint32_t kLikely = 99;
          const bool layout = table.found != 0 || table.version.major <= kLikely;
          if (!Check(layout, ledger, judgement, "XAPI-VER-05", "table0.found", "1",
                     "what should be the version in the header is none")) {
            return;
          }
          Check(ledger.tables[0].chain_ends != 0, ledger, judgement, "XAPI-VER-03", "table0.chain_ends", "1",
                "following prev_api does not end at NULL");
          Check(ledger.tables[0].chain_ascends == 0, ledger, judgement, "XAPI-VER-04", "table0.chain_ascends", "0",
                "an entry behind prev_api is later than the one in front of it");
          // Its tensors have no other than 1, which a table of another major version would not be for.
          Check(table.found != 0, ledger, judgement, "XAPI-VER-06", "table0.found", "1",
                "the header names a version of another major than that of the tensors");
        },
}};

/// The functions that may not be NULL, and the rule for each.
struct Slot {
  TableFunction function;
  std::string_view rule;
};
constexpr Slot kSlotRules[] = {{TableFunction::kAllocator, "XAPI-TAB-01"},
                               {TableFunction::kFromObject, "XAPI-TAB-02"},
                               {TableFunction::kToObject, "XAPI-TAB-03"},
                               {TableFunction::kStream, "XAPI-TAB-05"}};

// XAPI-TAB-01: The allocator is not NULL.
// XAPI-TAB-02: managed_tensor_from_py_object_no_sync is not NULL.
// XAPI-TAB-03: managed_tensor_to_py_object_no_sync is not NULL.
// XAPI-TAB-04: dltensor_from_py_object_no_sync may be NULL.
// XAPI-TAB-05: current_work_stream is not NULL.
const Register kFilled{{
    .id = "exchange-api/discovery/no-slot-but-one-is-null",
    .rules = {"XAPI-TAB-01", "XAPI-TAB-02", "XAPI-TAB-03", "XAPI-TAB-04", "XAPI-TAB-05"},
    .role = Role::kExchange,
    .examples = Examples::kTable,
    .table = 1,
    .python = true,
    .draw = &LookUp,
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (NoTable(ledger, judgement)) return;
          for (const Slot& slot : kSlotRules) {
            const bool null = (ledger.tables[0].null_slots >> static_cast<int>(slot.function) & 1) != 0;
            Check(!null, ledger, judgement, slot.rule, "table0.null_slots", "none | view",
                  "a function that the table has to have is NULL");
          }
        },
}};

}  // namespace
}  // namespace dlpack_cts
