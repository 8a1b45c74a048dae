// harness/judge/freedom_list.h: the lists that make up Freedoms(), and what their conditions share.
#ifndef DLPACK_CTS_HARNESS_JUDGE_FREEDOM_LIST_H_
#define DLPACK_CTS_HARNESS_JUDGE_FREEDOM_LIST_H_

#include <span>

#include "harness/judge/freedom.h"

namespace dlpack_cts {

std::span<const Freedom> ImportFreedoms();
std::span<const Freedom> ExportFreedoms();

inline bool Accepted(const Refusal& answer) { return answer.outcome == Outcome::kAccepted; }
inline bool Refused(const Refusal& answer) { return answer.outcome == Outcome::kRefused; }

bool Always(const Exchange& exchange, int slot);

bool HasNoElements(const int64_t* shape, int64_t ndim);

/// True when strides that carry information are equal: those of dimensions of more than one element, in a tensor that
/// has any.
bool SameMeaning(const int64_t* shape, const int64_t* a, const int64_t* b, int64_t ndim);

/// True when a step of the recipe passes that argument for copy=.
bool AsksForCopy(const Recipe& recipe, ArgumentKind kind);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_FREEDOM_LIST_H_
