// harness/recipe/names.h: the enumerators of a recipe's fields, with all their texts.
//
// A row has the enumerator, its word in JSON, its part of the sentence about a recipe, and the trigger: its id and a
// statement about the exchange. If id or statement need more (a keyword, the name of an argument), the row has only the
// part of the enumerator. Operations have a table of their own, ops.h.
#ifndef DLPACK_CTS_HARNESS_RECIPE_NAMES_H_
#define DLPACK_CTS_HARNESS_RECIPE_NAMES_H_

#include "harness/recipe/enum_table.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

// ---- Offers.

inline constexpr EnumTable<Placement> kPlacements = {{
    {Placement::kEndsAtGuard, "ends-at-guard"},
    {Placement::kStartsAtGuard, "starts-at-guard", "data directly after an inaccessible page", "starts-at-guard",
     "the elements begin directly after an inaccessible page"},
    {Placement::kReadOnlyPage, "read-only-page", "data in read-only memory", "read-only-page",
     "the elements are in read-only memory"},
    // Two triggers, by the size of byte_offset.
    {Placement::kFarOffset, "far-offset", "element 0 far after data"},
    // These share one trigger: NULL, an inaccessible page and a number do not point to memory.
    {Placement::kNull, "null", "data NULL"},
    {Placement::kUnmapped, "unmapped", "data at an address without memory"},
    {Placement::kForeignHandle, "foreign-handle", "data 0x1"},
    // A trigger that minimising cannot give to a recipe.
    {Placement::kDevice, "device", "data in CUDA device memory"},
}};

inline constexpr EnumTable<StructPlace> kStructPlaces = {{
    {StructPlace::kGuarded, "guarded"},
    {StructPlace::kReadOnly, "read-only", "struct in read-only memory", "read-only-struct",
     "the managed struct is in read-only memory"},
    {StructPlace::kBodyUnmapped, "body-unmapped", "struct of which only the first 32 bytes are readable",
     "unmapped-body", "only the first 32 bytes of the managed struct are readable"},
}};

inline constexpr EnumTable<DeleterKind> kDeleters = {{
    {DeleterKind::kCounting, "counting"},
    {DeleterKind::kNull, "null", "deleter NULL", "null-deleter", "the deleter is NULL"},
    {DeleterKind::kReenters, "reenters", "deleter during which the library imports another such tensor",
     "deleter-reenters", "the library imports another tensor while the deleter runs"},
    {DeleterKind::kMeetsThread, "meets-thread", "deleter during which another thread imports such a tensor",
     "deleter-meets-thread", "another thread imports a tensor while the deleter runs"},
    {DeleterKind::kDropsAnother, "drops-another", "deleter that drops another imported array", "deleter-drops-another",
     "the deleter drops another array that the library imported earlier"},
}};

inline constexpr EnumTable<ContextKind> kManagerContexts = {{
    {ContextKind::kPointer, "pointer"},
    {ContextKind::kNull, "null", "manager_ctx NULL", "null-context", "manager_ctx is NULL"},
    {ContextKind::kOne, "one", "manager_ctx 0x1", "number-context", "manager_ctx is a number and not a pointer"},
    {ContextKind::kUnmapped, "unmapped", "manager_ctx without memory", "unmapped-context",
     "manager_ctx points to memory that cannot be read"},
}};

inline constexpr EnumTable<DestructorKind> kDestructors = {{
    {DestructorKind::kReleases, "releases"},
    {DestructorKind::kNone, "none", "capsule without destructor", "no-destructor", "the capsule has no destructor"},
}};

/// In a sentence `{}` is replaced by the right name of the capsule.
inline constexpr EnumTable<CapsuleName> kCapsuleNames = {{
    {CapsuleName::kOwn, "own"},
    {CapsuleName::kForeign, "foreign", "capsule name of another protocol", "foreign-name",
     "the name of the capsule is \"arrow_schema\""},
    {CapsuleName::kTrailingSpace, "trailing-space", "capsule name \"{} \"", "name-with-space",
     "the name of the capsule ends with a space"},
    {CapsuleName::kNone, "none", "capsule name NULL", "no-name", "the capsule has no name"},
    {CapsuleName::kUsed, "used", "capsule name \"used_{}\"", "used-name", "the capsule already has its used name"},
}};

/// The keyword is added after the sentence and the statement, and before the id.
inline constexpr EnumTable<Reply> kReplies = {{
    {Reply::kIgnores, "ignores"},
    {Reply::kObeys, "obeys", "raises BufferError if it cannot satisfy", "obeyed",
     "raises BufferError if it cannot satisfy"},
    {Reply::kTypeError, "type-error", "raises TypeError for", "unknown", "raises TypeError for the keyword"},
    {Reply::kBufferError, "buffer-error", "raises BufferError for", "refused", "raises BufferError for the keyword"},
    {Reply::kRaises, "raises", "raises RuntimeError for", "raises", "raises RuntimeError for the keyword"},
}};

inline constexpr EnumTable<Gives> kGives = {{
    {Gives::kCapsule, "capsule"},
    {Gives::kStored, "stored", "__dlpack__ returns the same capsule at each call", "stored-capsule",
     "__dlpack__ of the producer returns the same capsule at each call"},
    {Gives::kBufferError, "buffer-error", "__dlpack__ raises BufferError", "producer-refuses",
     "__dlpack__ of the producer raises BufferError"},
    {Gives::kNone, "none", "__dlpack__ returns None", "gives-none", "__dlpack__ of the producer returns None"},
    {Gives::kOSError, "os-error", "__dlpack__ raises OSError", "producer-raises",
     "__dlpack__ of the producer raises OSError"},
    {Gives::kTypeError, "type-error", "__dlpack__ raises TypeError for any arguments", "producer-errs",
     "__dlpack__ of the producer raises TypeError for any arguments"},
    {Gives::kNoDevice, "no-device", "__dlpack_device__ raises OSError", "device-raises",
     "__dlpack_device__ of the producer raises OSError"},
    {Gives::kNoneForDevice, "none-for-device", "__dlpack_device__ returns None", "none-for-device",
     "__dlpack_device__ of the producer returns None"},
    {Gives::kNumberForDevice, "number-for-device", "__dlpack_device__ returns 1", "number-for-device",
     "__dlpack_device__ of the producer returns 1"},
    {Gives::kOneForDevice, "one-for-device", "__dlpack_device__ returns (1,)", "one-for-device",
     "__dlpack_device__ of the producer returns (1,)"},
    {Gives::kThreeForDevice, "three-for-device", "__dlpack_device__ returns (1, 0, 0)", "three-for-device",
     "__dlpack_device__ of the producer returns (1, 0, 0)"},
    {Gives::kTextForDevice, "text-for-device", "__dlpack_device__ returns ('cpu', 0)", "text-for-device",
     "__dlpack_device__ of the producer returns ('cpu', 0)"},
    {Gives::kEnumForDevice, "enum-for-device", "__dlpack_device__ returns an enumerator", "enum-for-device",
     "the device type that __dlpack_device__ of the producer returns is an enumerator"},
    {Gives::kSubclassForDevice, "subclass-for-device", "__dlpack_device__ returns a subclass of tuple",
     "subclass-for-device", "__dlpack_device__ of the producer returns a subclass of tuple, with a subclass of int"},
    {Gives::kIndexForDevice, "index-for-device", "__dlpack_device__ returns objects with __index__", "index-for-device",
     "__dlpack_device__ of the producer returns a tuple of objects that have __index__ and are not ints"},
    {Gives::kImportsFirst, "imports-first", "__dlpack__ first imports another tensor", "producer-imports",
     "__dlpack__ of the producer first makes the library import another tensor"},
    {Gives::kEarlierObject, "earlier-object",
     "the producer is that of the earlier import, and exports another tensor now", "same-producer",
     "several tensors are imported from one producer, which exports another one each time"},
    {Gives::kInherits, "inherits", "the class of the producer inherits its methods", "methods-inherited",
     "the class of the producer inherits __dlpack__ and __dlpack_device__"},
    {Gives::kOfMetaclass, "of-metaclass", "the producer is a class, whose metaclass has the methods",
     "methods-of-metaclass", "the producer is a class, and its metaclass has __dlpack__ and __dlpack_device__"},
    {Gives::kOfInstance, "of-instance", "the methods are attributes of the producer, and not of its class",
     "methods-of-instance", "__dlpack__ and __dlpack_device__ are attributes of the producer, and not of its class"},
    {Gives::kByGetattr, "by-getattr", "__getattr__ of the producer finds its methods", "methods-by-getattr",
     "__getattr__ of the producer finds __dlpack__ and __dlpack_device__"},
    {Gives::kStatic, "static", "the methods of the producer are static", "static-methods",
     "__dlpack__ and __dlpack_device__ of the producer are static methods"},
    {Gives::kNoModule, "no-module", "the class of the producer has no __module__", "no-module",
     "the class of the producer has no __module__"},
    {Gives::kNoneForModule, "none-for-module", "__module__ of the producer's class is None", "none-for-module",
     "__module__ of the producer's class is None"},
    {Gives::kOwnClass, "own-class", "the producer has a class of its own, with a name that others have too",
     "own-class", "the class of the producer is its own, and other producers have classes of the same name"},
    {Gives::kKeepsArray, "keeps-array", "the producer refers to the imported array", "producer-cycle",
     "the producer refers to the array that was imported from it"},
    {Gives::kOthersRaise, "others-raise", "every look-up of another attribute raises RuntimeError", "attributes-raise",
     "every look-up of an attribute other than the methods raises RuntimeError"},
    {Gives::kTableRaises, "table-raises", "the look-up of the exchange table raises RuntimeError",
     "table-lookup-raises", "the look-up of __dlpack_c_exchange_api__ raises RuntimeError"},
    {Gives::kDeviceLookupRaises, "device-lookup-raises", "the look-up of __dlpack_device__ raises RuntimeError",
     "device-lookup-raises", "the look-up of __dlpack_device__ raises RuntimeError"},
    {Gives::kLookupRaises, "lookup-raises", "the look-up of __dlpack__ raises RuntimeError", "lookup-raises",
     "the look-up of __dlpack__ raises RuntimeError"},
    {Gives::kInterrupts, "interrupts", "__dlpack__ raises KeyboardInterrupt", "producer-interrupts",
     "__dlpack__ of the producer raises KeyboardInterrupt"},
    {Gives::kDeviceAlone, "device-alone", "the producer has no __dlpack__", "device-alone",
     "the imported object has no __dlpack__"},
    {Gives::kNoMethods, "no-methods", "the producer has neither __dlpack__ nor __dlpack_device__", "no-methods",
     "the imported object has neither __dlpack__ nor __dlpack_device__"},
}};

inline constexpr EnumTable<TableAttribute> kTableAttributes = {{
    {TableAttribute::kNone, "none"},
    {TableAttribute::kCapsule, "capsule", "__dlpack_c_exchange_api__ on the producer's type", "table",
     "the producer's type has a C exchange table"},
    {TableAttribute::kMisnamed, "misnamed", "__dlpack_c_exchange_api__ is a capsule with a wrong name",
     "misnamed-table", "the capsule with the C exchange table has a wrong name"},
    {TableAttribute::kNoCapsule, "no-capsule", "__dlpack_c_exchange_api__ is a str", "table-no-capsule",
     "__dlpack_c_exchange_api__ of the producer's type is a str and not a capsule"},
    {TableAttribute::kOnObject, "on-object", "__dlpack_c_exchange_api__ on the producer but not on its type",
     "table-on-object", "the C exchange table is an attribute of the producer but not of its type"},
    {TableAttribute::kInteger, "integer", "__dlpack_c_exchange_api__ is an int with the table's address",
     "table-integer",
     "__dlpack_c_exchange_api__ of the producer's type is an int, the address of the table, and not a capsule"},
}};

// ---- Requests.

inline constexpr EnumTable<Making> kMakings = {{
    {Making::kFresh, "fresh"},
    {Making::kView, "view", "a view", "view", "the array is a view"},
}};

inline constexpr EnumTable<Oddity> kOddities = {{
    {Oddity::kNone, "none"},
    {Oddity::kForeignByteOrder, "foreign-byte-order", "byte-swapped elements", "odd-foreign-byte-order",
     "the elements of the array are byte-swapped"},
    {Oddity::kLongDouble, "long-double", "long double elements", "odd-long-double",
     "the elements of the array are long double"},
    {Oddity::kComplexLongDouble, "complex-long-double", "complex long double elements", "odd-complex-long-double",
     "the elements of the array are complex long double"},
    {Oddity::kObject, "object", "elements that are objects", "odd-object", "the elements of the array are objects"},
    {Oddity::kUnalignedStride, "unaligned-stride", "byte strides that are not multiples of the item size",
     "odd-unaligned-stride", "a byte stride of the array is not a multiple of the item size"},
    {Oddity::kConjugate, "conjugate", "conjugate bit set", "odd-conjugate", "the conjugate bit of the array is set"},
    {Oddity::kNegated, "negated", "negative bit set", "odd-negated", "the negative bit of the array is set"},
    {Oddity::kSparse, "sparse", "sparse", "odd-sparse", "the array is sparse"},
    {Oddity::kRequiresGrad, "requires-grad", "requires_grad", "odd-requires-grad", "requires_grad of the array is set"},
    {Oddity::kMeta, "meta", "meta device", "odd-meta", "the array is on the meta device"},
    {Oddity::kSubclass, "subclass", "instance of a subclass", "odd-subclass",
     "the type of the array is a subclass of the library's array type"},
    {Oddity::kIdleStride, "idle-stride", "extents of 1 with byte strides that are not multiples of the item size",
     "odd-idle-stride", "an extent of the array is 1, and its byte stride is not a multiple of the item size"},
    {Oddity::kZeros, "zeros", "zeros without memory", "odd-zeros",
     "the elements of the array are zeros without memory"},
    {Oddity::kDate, "date", "elements that are dates", "odd-date", "the elements of the array are dates"},
    {Oddity::kQuantized, "quantized", "elements that are quantized integers", "odd-quantized",
     "the elements of the array are quantized integers"},
    {Oddity::kText, "text", "elements that are text", "odd-text", "the elements of the array are texts"},
    {Oddity::kScalarObject, "scalar-object", "a scalar object of the library instead of an array", "odd-scalar-object",
     "a scalar object of the library is exported instead of an array"},
}};

// ---- Calls.

/// In a sentence {0} and {1} are replaced by the two integers, {2} and {3} by their bool(). The name of the argument is
/// added before the id and the statement.
inline constexpr EnumTable<ArgumentKind> kArguments = {{
    {ArgumentKind::kAbsent, "absent"},
    {ArgumentKind::kNone, "none", "None", "none", "is None"},
    {ArgumentKind::kPair, "pair", "({0},{1})", "pair", "is a tuple of two ints"},
    {ArgumentKind::kInt, "int", "{0}", "int", "is an int"},
    {ArgumentKind::kTrue, "true", "True", "true", "is True"},
    {ArgumentKind::kFalse, "false", "False", "false", "is False"},
    {ArgumentKind::kList, "list", "[{0},{1}]", "list", "is a list"},
    {ArgumentKind::kOneTuple, "one-tuple", "({0},)", "one-tuple", "is a tuple of one item"},
    {ArgumentKind::kString, "string", "'dlpack'", "string", "is a str"},
    {ArgumentKind::kFloats, "floats", "({0}.0,{1})", "floats", "is a tuple with a float"},
    {ArgumentKind::kHuge, "huge", "(1<<200,0)", "huge", "is a tuple with an int of more than 64 bits"},
    {ArgumentKind::kObject, "object", "object()", "object", "is an object()"},
    {ArgumentKind::kBools, "bools", "({2},{3})", "bools", "is a tuple of bools"},
    {ArgumentKind::kEnumPair, "enum-pair", "(IntEnum({0}),{1})", "enum-pair", "is a tuple with an enumerator"},
    {ArgumentKind::kSubclassPair, "subclass-pair", "Subclass({0},{1})", "subclass-pair",
     "is an object of a subclass of tuple, with objects of a subclass of int"},
    {ArgumentKind::kIndexPair, "index-pair", "(Index({0}),Index({1}))", "index-pair",
     "is a tuple of objects that have __index__ and are not ints"},
    {ArgumentKind::kEnumInt, "enum-int", "IntEnum({0})", "enum-int", "is an enumerator"},
    {ArgumentKind::kSubclassInt, "subclass-int", "Subclass({0})", "subclass-int", "is an object of a subclass of int"},
    {ArgumentKind::kIndexInt, "index-int", "Index({0})", "index-int",
     "is an object that has __index__ and is not an int"},
}};

// ---- Steps.

inline constexpr EnumTable<Actor> kActors = {{
    {Actor::kUsual, "usual"},
    {Actor::kProducer, "producer", "by the producer"},
    {Actor::kConsumer, "consumer", "by the consumer"},
}};

inline constexpr EnumTable<Context> kContexts = {{
    {Context::kUsual, "usual"},
    {Context::kCollection, "collection", "during garbage collection", "in-collection",
     "a step runs during garbage collection"},
    {Context::kStrictWarnings, "strict-warnings", "while every warning is an exception", "strict-warnings",
     "a step runs while every warning is an exception"},
    {Context::kPendingException, "pending-exception", "with an exception pending", "pending-exception",
     "a step runs while an exception is pending"},
    {Context::kForkedChild, "forked-child", "in a forked child", "forked-child", "a step runs in a forked child"},
    {Context::kAtExit, "at-exit", "in an exit handler", "at-exit", "a step runs in an exit handler"},
    {Context::kSubinterpreter, "subinterpreter", "while a subinterpreter ends", "subinterpreter",
     "a step runs while a subinterpreter ends"},
    {Context::kFinalised, "finalised", "after the interpreter was finalised", "finalised",
     "a step runs after the interpreter was finalised"},
    {Context::kRawThread, "raw-thread", "on a thread unknown to Python", "raw-thread",
     "a step runs on a thread unknown to Python"},
    {Context::kOtherDevice, "other-cuda-device", "with another CUDA device current", "other-cuda-device",
     "a step runs while another CUDA device is current"},
    {Context::kCapture, "cuda-capture", "during the capture of a CUDA stream", "cuda-capture",
     "a step runs during the capture of a CUDA stream"},
    {Context::kPendingWork, "pending-cuda-work", "while work is pending on a CUDA stream", "pending-cuda-work",
     "a step runs while work is pending on a CUDA stream"},
    {Context::kHeldStream, "held-cuda-stream", "while its CUDA stream is blocked", "held-cuda-stream",
     "a step runs while its CUDA stream is blocked"},
    {Context::kEndedStream, "ended-cuda-stream", "after the CUDA stream of its export was destroyed",
     "ended-cuda-stream", "a step runs after the CUDA stream of its export was destroyed"},
}};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_NAMES_H_
