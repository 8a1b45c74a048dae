// suites/exchange-api/consumer_lookup.cc: what a consumer does with the exchange table that it finds on a type.
#include <algorithm>

#include "suites/exchange-api/forged.h"

namespace dlpack_cts {
namespace {

const RegisterCases<OfTables> kCases = {
    // XAPI-DISC-08: The consumer checks the capsule's name. Anything other than a table is an error, or is ignored
    // without leaving an exception set. The wrong capsule holds the address of unreadable memory. DLPack 1.2 published
    // the address of a table as an int under another name, so a consumer that uses the int has a table.
    {.id = "exchange-api/consumer/what-is-no-table-is-left-alone",
     .rules = {"XAPI-DISC-08"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawTabled(draw);
           constexpr TableAttribute kOthers[] = {TableAttribute::kMisnamed, TableAttribute::kNoCapsule,
                                                 TableAttribute::kInteger};
           recipe.table.attribute = kOthers[draw.Pick(3)];
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) { RefusedOrRight(ledger, judgement); }},

    // XAPI-DISC-06: Consumers look the attribute up on the type, not on the instance: an attribute of the object alone
    // is not the table of its type.
    {.id = "exchange-api/consumer/objects-are-not-asked-for-their-table",
     .rules = {"XAPI-DISC-06"},
     .on_refusal = OnRefusal::kPass,
     .draw = Changed(DrawTabled, [](Recipe& recipe) { recipe.table.attribute = TableAttribute::kOnObject; }),
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (LooksForNoTable(ledger, judgement)) return;
           judgement.Expect("import0.table.called", Is(FunctionSet{}),
                            "the library uses an exchange table that is an attribute of the object, not of its type");
         }},

    // XAPI-DISC-09: When the type has no table, the consumer calls __dlpack__. In this case only the object has the
    // attribute. PY-FROM-04: The values are right.
    {.id = "exchange-api/consumer/objects-without-a-table-are-taken",
     .rules = {"XAPI-DISC-09", "PY-FROM-04"},
     .on_refusal = OnRefusal::kWarn,
     .blocked = LooksForMoreThanTables,
     .draw = Changed(DrawTabled, [](Recipe& recipe) { recipe.table.attribute = TableAttribute::kOnObject; }),
     .control = [](const Profile&, Recipe& recipe) { recipe.table = {}; },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (LooksForNoTable(ledger, judgement)) return;
           if (ledger.imports[0].table.called != 0)
             return judgement.SaysNothing("the library used the exchange table that is an attribute of the object");
           ElementsMatch(judgement, {.rule = "PY-FROM-04"});
         }},

    // XAPI-VER-02: A consumer that finds a table of another major version may follow prev_api to a version that it
    // knows. In this case such a table is between two tables that it cannot use.
    {.id = "exchange-api/consumer/older-tables-are-looked-at-before-their-use",
     .rules = {"XAPI-VER-02", "PY-FROM-04"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawTabled(draw);
           const uint32_t major = kForeignMajors[draw.Pick(4)];
           recipe.table.version = {major, static_cast<uint32_t>(draw.Pick(4))};
           const abi::DLPackVersion chain[] = {{major - (draw.Pick(2) == 0 && major > 2 ? 1 : 0), 0}, {1, 3}, {0, 9}};
           recipe.table.chain_length = 3;
           std::copy_n(chain, 3, recipe.table.chain);
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge = [](const Recipe&, const Ledger& ledger,
                 Judgement& judgement) { RefusedOrRight(ledger, judgement, {.rule = "PY-FROM-04"}); }},

    // XAPI-VER-01: The consumer checks the major version before it reads anything after the header. The memory after
    // the header of this table is unreadable.
    {.id = "exchange-api/consumer/nothing-is-read-behind-a-foreign-major",
     .rules = {"XAPI-VER-01"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawTabled(draw);
           recipe.table.version = {kForeignMajors[draw.Pick(4)], static_cast<uint32_t>(draw.Pick(4))};
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) { RefusedOrRight(ledger, judgement); }},

    // XAPI-VER-07: Only the major version decides: a consumer does not refuse an object because of a newer minor
    // version. PY-FROM-04: The values are right.
    {.id = "exchange-api/consumer/newer-minor-is-no-obstacle",
     .rules = {"XAPI-VER-07", "PY-FROM-04"},
     .on_refusal = OnRefusal::kWarn,
     .draw =
         [](Draw& draw) {
           constexpr uint32_t kMinors[] = {4, 5, 99, 0x7fffffff};
           Recipe recipe = DrawTabled(draw);
           recipe.table.version.minor = kMinors[draw.Pick(4)];
           return recipe;
         },
     .control = [](const Profile&, Recipe& recipe) { recipe.table.version = {1, 3}; },
     .judge =
         [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
           if (LooksForNoTable(ledger, judgement)) return;
           ElementsMatch(judgement, {.rule = "PY-FROM-04"});
         }},

    // XAPI-TAB-06: The consumer works with a table whose dltensor_from_py_object_no_sync is NULL.
    {.id = "exchange-api/consumer/null-view-function-is-not-called",
     .rules = {"XAPI-TAB-06"},
     .on_refusal = OnRefusal::kJudge,
     .draw =
         [](Draw& draw) {
           Recipe recipe = DrawTabled(draw);
           recipe.table.null_slots = FunctionBit(TableFunction::kView).bits;
           AskForCopy(draw, recipe);
           return recipe;
         },
     .uncontrolled = uncontrolled::kResults,
     .judge = [](const Recipe&, const Ledger& ledger, Judgement& judgement) { RefusedOrRight(ledger, judgement); }},
};

}  // namespace
}  // namespace dlpack_cts
