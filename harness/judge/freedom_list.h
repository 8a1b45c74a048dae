// harness/judge/freedom_list.h: the lists that make up Freedoms(), and what their conditions share.
#ifndef DLPACK_CTS_HARNESS_JUDGE_FREEDOM_LIST_H_
#define DLPACK_CTS_HARNESS_JUDGE_FREEDOM_LIST_H_

#include <span>

#include "harness/judge/freedom.h"

namespace dlpack_cts {

std::span<const Freedom> ImportFreedoms();
std::span<const Freedom> ExportFreedoms();

constexpr Use UseIf(bool used) { return used ? Use::kYes : Use::kNo; }

inline bool Accepted(const Refusal& answer) { return answer.outcome == Outcome::kAccepted; }
inline bool Refused(const Refusal& answer) { return answer.outcome == Outcome::kRefused; }

/// True when strides that carry information are equal: those of dimensions of more than one element, in a tensor that
/// has any.
bool SameMeaning(const int64_t* shape, const int64_t* a, const int64_t* b, int64_t ndim);

/// True when a step of the recipe that fills that slot, or any step, passes that argument for copy=.
bool AsksForCopy(const Recipe& recipe, ArgumentKind kind);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_FREEDOM_LIST_H_
