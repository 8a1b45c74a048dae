// suites/exchange-api/consumer_lookup.cc: what a consumer makes of the exchange table that it finds on a type.
#include <algorithm>

#include "suites/exchange-api/forged.h"

namespace dlpack_cts {
namespace {

// XAPI-DISC-08: The consumer checks the capsule's name; anything else than a table is an error, or counts as none, and
// leaves no exception behind. The wrong capsule holds the address of memory that cannot be read. The address of a
// table as an int is what 1.2 published under another name: who follows it has a table.
const Register kNameIsChecked{OfTables({
    .id = "exchange-api/consumer/what-is-no-table-is-left-alone",
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
    .judge = [](const Recipe&, const Ledger& ledger,
                Judgement& judgement) { RefusedOrRight("XAPI-DISC-08", ledger, judgement); },
})};

// XAPI-DISC-06: Consumers look the attribute up on the type, not on the instance: what an object alone carries is no
// table of its type.
const Register kTypeIsAsked{OfTables({
    .id = "exchange-api/consumer/objects-are-not-asked-for-their-table",
    .rules = {"XAPI-DISC-06"},
    .on_refusal = OnRefusal::kPass,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawTabled(draw);
          recipe.table.attribute = TableAttribute::kOnObject;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (LooksForNoTable(ledger, judgement)) return;
          Check(ledger.imports[0].table.called == 0, ledger, judgement, "XAPI-DISC-06", "import0.table.called", "none",
                "a table that an object carries, and its type does not, is used");
        },
})};

// XAPI-DISC-09: Where the type has no table the consumer calls __dlpack__. Here the type itself says that it has none.
const Register kMethodIsCalled{OfTables({
    .id = "exchange-api/consumer/objects-without-a-table-are-taken",
    .rules = {"XAPI-DISC-09"},
    .on_refusal = OnRefusal::kWarn,
    .blocked = LooksForMoreThanTables,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawTabled(draw);
          recipe.table.attribute = TableAttribute::kOnObject;
          return recipe;
        },
    .control = [](Recipe& recipe) { recipe.table = {}; },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (LooksForNoTable(ledger, judgement)) return;
          if (ledger.imports[0].table.called != 0) return judgement.SaysNothing("the library found the object's table");
          ElementsMatch("XAPI-DISC-09", ledger, judgement);
        },
})};

// XAPI-VER-02: Behind a table of another major version the consumer may look for one that it knows: here such a one
// lies between two that cannot be used.
const Register kChainIsWalked{OfTables({
    .id = "exchange-api/consumer/older-tables-are-looked-at-before-their-use",
    .rules = {"XAPI-VER-02"},
    .on_refusal = OnRefusal::kJudge,
    .draw =
        [](Draw& draw) {
          constexpr uint32_t kMajors[] = {2, 3, 257, 0x7fffffff};
          Recipe recipe = DrawTabled(draw);
          const uint32_t major = kMajors[draw.Pick(4)];
          recipe.table.version = {major, static_cast<uint32_t>(draw.Pick(4))};
          const abi::DLPackVersion chain[] = {{major - (draw.Pick(2) == 0 && major > 2 ? 1 : 0), 0}, {1, 3}, {0, 9}};
          recipe.table.chain_length = 3;
          std::copy_n(chain, 3, recipe.table.chain);
          return recipe;
        },
    .judge = [](const Recipe&, const Ledger& ledger,
                Judgement& judgement) { RefusedOrRight("XAPI-VER-02", ledger, judgement); },
})};

// XAPI-VER-01: The consumer checks the major version before it uses anything but the header: behind the header of this
// table there is nothing that can be read.
const Register kMajorComesFirst{OfTables({
    .id = "exchange-api/consumer/nothing-is-read-behind-a-foreign-major",
    .rules = {"XAPI-VER-01"},
    .on_refusal = OnRefusal::kJudge,
    .draw =
        [](Draw& draw) {
          constexpr uint32_t kMajors[] = {2, 3, 257, 0x7fffffff};
          Recipe recipe = DrawTabled(draw);
          recipe.table.version = {kMajors[draw.Pick(4)], static_cast<uint32_t>(draw.Pick(4))};
          return recipe;
        },
    .judge = [](const Recipe&, const Ledger& ledger,
                Judgement& judgement) { RefusedOrRight("XAPI-VER-01", ledger, judgement); },
})};

// XAPI-VER-07: Only the major decides: a table of a newer minor is no reason to refuse an object.
const Register kMinorDecidesNothing{OfTables({
    .id = "exchange-api/consumer/newer-minor-is-no-obstacle",
    .rules = {"XAPI-VER-07"},
    .on_refusal = OnRefusal::kWarn,
    .draw =
        [](Draw& draw) {
          constexpr uint32_t kMinors[] = {4, 5, 99, 0x7fffffff};
          Recipe recipe = DrawTabled(draw);
          recipe.table.version.minor = kMinors[draw.Pick(4)];
          return recipe;
        },
    .control = [](Recipe& recipe) { recipe.table.version = {1, 3}; },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          if (LooksForNoTable(ledger, judgement)) return;
          ElementsMatch("XAPI-VER-07", ledger, judgement);
        },
})};

// XAPI-TAB-06: The consumer copes with a NULL dltensor_from_py_object_no_sync.
const Register kViewMayBeMissing{OfTables({
    .id = "exchange-api/consumer/null-view-function-is-not-called",
    .rules = {"XAPI-TAB-06"},
    .on_refusal = OnRefusal::kJudge,
    .draw =
        [](Draw& draw) {
          Recipe recipe = DrawTabled(draw);
          recipe.table.null_slots = FunctionBit(TableFunction::kView);
          AskForCopy(draw, recipe);
          return recipe;
        },
    .judge = [](const Recipe&, const Ledger& ledger,
                Judgement& judgement) { RefusedOrRight("XAPI-TAB-06", ledger, judgement); },
})};

}  // namespace
}  // namespace dlpack_cts
