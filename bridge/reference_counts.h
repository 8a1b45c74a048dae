// bridge/reference_counts.h: counts the references that repeated exchanges leave.
#ifndef DLPACK_CTS_BRIDGE_REFERENCE_COUNTS_H_
#define DLPACK_CTS_BRIDGE_REFERENCE_COUNTS_H_

#include <array>
#include <vector>

#include "bridge/object.h"

namespace dlpack_cts {

/// Between Begin() and End() it keeps the producers, consumed capsules and arguments of all exchanges. In the end it
/// has one reference to each; any other one was left by the library. A cache of the library keeps the objects of some
/// exchanges, a leak those of every exchange: the caller compares rounds of several lengths.
class ReferenceCounts {
 public:
  /// `array` is the exported array, borrowed, or NULL.
  void Begin(PyObject* array);
  ReferenceGrowth End();

  // Each keeps an object that the library received or made. They do nothing outside Begin() and End(), or for NULL.
  void KeepProducer(PyObject* producer);
  /// A capsule that was not consumed is not kept, because its destructor releases the tensor.
  void KeepCapsule(PyObject* capsule);
  /// The tuples and lists among the keywords. Other values are constants, or are shared by the whole process.
  void KeepArguments(PyObject* keywords);

 private:
  using Counts = std::array<int64_t, 3>;  // of None, True and False

  static Counts Constants();

  bool counts_ = false;
  std::vector<Ref> producers_;
  std::vector<Ref> capsules_;
  std::vector<Ref> arguments_;
  Ref array_;
  Ref type_;  // of the array, or of the producers
  int64_t array_before_ = 0;
  int64_t type_before_ = 0;
  Counts constants_before_{};
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_REFERENCE_COUNTS_H_
