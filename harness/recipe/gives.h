// harness/recipe/gives.h: what the fake producer is, and what its methods do.
#ifndef DLPACK_CTS_HARNESS_RECIPE_GIVES_H_
#define DLPACK_CTS_HARNESS_RECIPE_GIVES_H_

#include <cstdint>

namespace dlpack_cts {

/// What __dlpack__ does if no keyword prevents it.
enum class Gives : uint8_t {
  kCapsule,
  kStored,       // returns the capsule of its first call again
  kBufferError,  // raises BufferError
  kNone,         // returns None
  kOSError,      // raises OSError, which no keyword is answered with
  kNoDevice,     // as kCapsule, but __dlpack_device__ raises OSError
  kDeviceAlone,  // the object has no __dlpack__
  kNoMethods,    // the object has neither method
  kTypeError,    // raises TypeError, whatever the arguments are
  // As kCapsule, but __dlpack_device__ does not return a pair of integers.
  kNoneForDevice,    // None
  kNumberForDevice,  // 1
  kOneForDevice,     // (1,)
  kThreeForDevice,   // (1, 0, 0)
  kTextForDevice,    // ("cpu", 0)
  // As kCapsule, and __dlpack_device__ returns a pair of integers of other classes.
  kEnumForDevice,      // (an enumerator, 0), as most libraries return it
  kSubclassForDevice,  // a subclass of tuple with objects of a subclass of int
  kIndexForDevice,     // a tuple of objects that have __index__ and are not ints, as NumPy's integers are
  kImportsFirst,       // as kCapsule, but __dlpack__ first makes the library import another such tensor
  kEarlierObject,      // as kCapsule, from the object of the exchange in the lowest slot, where that has a usual one
  // As kCapsule, from an object of another class; harness/reproducer/prelude/unusual.py.
  kInherits,            // its class inherits both methods
  kOfMetaclass,         // it is a class, whose metaclass has the methods
  kOfInstance,          // the methods are attributes of the object, and not of its class
  kByGetattr,           // __getattr__ of its class finds the methods
  kStatic,              // the methods are static
  kNoModule,            // its class has no __module__
  kNoneForModule,       // __module__ of its class is None
  kOwnClass,            // its class is its own; the classes of one exchange have the same name
  kKeepsArray,          // it refers to the array that was imported from it
  kOthersRaise,         // every look-up of an attribute other than the methods raises RuntimeError
  kTableRaises,         // the look-up of the exchange table, on the object or its class, raises RuntimeError
  kDeviceLookupRaises,  // the look-up of __dlpack_device__ raises RuntimeError
  // __dlpack__ does not return.
  kLookupRaises,  // the look-up of __dlpack__ raises RuntimeError
  kInterrupts,    // __dlpack__ raises KeyboardInterrupt
};
/// Whether __dlpack_device__ does not return a pair of integers.
constexpr bool MisnamesDevice(Gives gives) { return gives >= Gives::kNoneForDevice && gives <= Gives::kTextForDevice; }
/// Whether __dlpack__ returns a capsule, a new one at each call, and both methods do what they should.
constexpr bool GivesCapsules(Gives gives) {
  return gives == Gives::kCapsule || (gives > Gives::kTextForDevice && gives < Gives::kLookupRaises);
}
/// Whether the imported object is not the fake producer itself, but one that calls its methods.
constexpr bool IsUnusual(Gives gives) { return gives >= Gives::kInherits && gives <= Gives::kLookupRaises; }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_GIVES_H_
