// harness/judge/home_list.h: the lists that make up Homes().
#ifndef DLPACK_CTS_HARNESS_JUDGE_HOME_LIST_H_
#define DLPACK_CTS_HARNESS_JUDGE_HOME_LIST_H_

#include <span>

#include "harness/judge/homes.h"

namespace dlpack_cts {

std::span<const Home> ImportHomes();
std::span<const Home> ExportHomes();  // of the exchange table as well

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_JUDGE_HOME_LIST_H_
