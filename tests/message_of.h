// tests/message_of.h: what a user reads of a failure, for tests.
#ifndef DLPACK_CTS_TESTS_MESSAGE_OF_H_
#define DLPACK_CTS_TESTS_MESSAGE_OF_H_

#include <string>

#include "base/failure.h"

namespace dlpack_cts {

/// The message of the failure in `act`, or "" if it succeeds.
template <typename Act>
std::string MessageOf(const Act& act) {
  const std::optional<Failure> failure = FailureOf(act);
  return failure ? failure->what() : "";
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_TESTS_MESSAGE_OF_H_
