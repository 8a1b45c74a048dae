// suites/c-abi/subbyte_export.cc: what a producer says of types of less than a byte.
#include "harness/case/case.h"
#include "harness/case/judges.h"
#include "harness/case/needs.h"

namespace dlpack_cts {
namespace {

// C-SUBBYTE-08: The PADDED flag is not set on types of 8 bits or more.
const Register kWholeBytesAreNotPadded{{
    .id = "c-abi/subbyte/whole-bytes-are-not-flagged-as-padded",
    .rules = {"C-SUBBYTE-08"},
    .role = Role::kProducer,
    .blocked = MakesVersioned,
    .draw =
        [](Draw& draw) {
          Recipe recipe = draw.ExportOf(StructKind::kVersioned);
          if (draw.random.OneIn(4)) recipe.call().copy.kind = ArgumentKind::kTrue;
          return recipe;
        },
    .judge =
        [](const Recipe&, const Ledger& ledger, Judgement& judgement) {
          const ExportLedger& exported = ledger.exports[0];
          if (!exported.versioned) return judgement.SaysNothing("the export is no versioned struct");
          if (exported.version.major != 1) return judgement.SaysNothing("the major is none that is known here");
          if (exported.tensor.dtype.bits < 8) return judgement.SaysNothing("the type has less than 8 bits");
          // Other bits are the matter of C-FLAGS-01.
          Check((exported.flags & abi::kFlagSubbytePadded) == 0, ledger, judgement, "C-SUBBYTE-08", "export0.flags",
                "0 | 1 | 2 | 3", "IS_SUBBYTE_TYPE_PADDED is set on a type of whole bytes");
        },
}};

}  // namespace
}  // namespace dlpack_cts
