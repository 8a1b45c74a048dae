// harness/case/judgement.cc: keeps the gravest breach of one example.
#include "harness/case/judgement.h"

namespace dlpack_cts {

void Judgement::SaysNothing(std::string_view why) {
  judged_ = true;
  why_nothing_ = why;
}

void Judgement::Breaks(Breach breach) {
  judged_ = true;
  if (!breach_ || breach.degree < breach_->degree) breach_ = std::move(breach);
}

}  // namespace dlpack_cts
