// harness/judge/homes.h: which rule speaks for a deviation that nothing more specific claims.
#ifndef DLPACK_CTS_HARNESS_JUDGE_HOMES_H_
#define DLPACK_CTS_HARNESS_JUDGE_HOMES_H_

#include <string_view>

#include "harness/case/case.h"
#include "harness/ledger/fact_table.h"

namespace dlpack_cts {

/// The widest rule for that role about facts of that family.
std::string_view GeneralRule(Role role, Family family);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_HOMES_H_
