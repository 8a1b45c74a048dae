// mutants/pair.h: several defects at once, as "A+B": does one of them mask another?
#ifndef DLPACK_CTS_MUTANTS_PAIR_H_
#define DLPACK_CTS_MUTANTS_PAIR_H_

#include <string_view>
#include <vector>

#include "mutants/mutant.h"

namespace dlpack_cts {

/// The mutants with these names, which plus signs join. Empty for the empty name. An unknown name gives NULL.
std::vector<const Mutant*> MutantsOf(std::string_view names);

/// False if two of them set the same step to different values, so that the later one undoes the earlier one.
bool GoTogether(const std::vector<const Mutant*>& mutants);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_MUTANTS_PAIR_H_
