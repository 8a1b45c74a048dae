// harness/recipe/recipe.h: the recipe, a plain value that describes one whole exchange.
//
// Four fixed blocks: what the forge offers, what the library is asked to make, how it is called, and the steps of the
// exchange's life. Trivially copyable, so that it lies in shared memory while it runs and every byte string can be read
// as one; Normalize() (normalize.h) folds arbitrary bytes into range. Strides are in elements, offsets in bytes.
#ifndef DLPACK_CTS_HARNESS_RECIPE_RECIPE_H_
#define DLPACK_CTS_HARNESS_RECIPE_RECIPE_H_

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "harness/abi/dlpack.h"

namespace dlpack_cts {

inline constexpr int kDims = 8;    // dimensions that a recipe really backs with memory
inline constexpr int kSteps = 16;  // steps of a life
inline constexpr int kSlots = 4;   // exchanges that one recipe keeps alive side by side

enum class StructKind : uint8_t { kLegacy, kVersioned, kView };
enum class StridesKind : uint8_t { kNull, kCompact, kExplicit };

/// Where the data of an offer lies.
enum class Placement : uint8_t {
  kEndsAtGuard,    // the last element ends less than twice the alignment in front of an inaccessible page
  kStartsAtGuard,  // the lowest element follows an inaccessible page
  kReadOnlyPage,   // as kEndsAtGuard, in pages that cannot be written
  kUnmapped,       // an inaccessible page
  kNull,           // a NULL pointer
  kForeignHandle,  // the number 0x1, which is no address
  kFarOffset,      // element 0 lies more than 4 GiB behind `data`, reached through byte_offset
};

/// Where the struct lies; shape and strides always end at an inaccessible page.
enum class StructPlace : uint8_t {
  kGuarded,       // ends at an inaccessible page
  kReadOnly,      // as kGuarded, with struct, shape and strides in pages that cannot be written
  kBodyUnmapped,  // everything behind the stable prefix (byte 32 on) lies on an inaccessible page
};

enum class DeleterKind : uint8_t { kCounting, kNull };
enum class ContextKind : uint8_t { kPointer, kNull, kOne, kUnmapped };
enum class DestructorKind : uint8_t { kReleases, kNone };

/// The name that the forge gives to its capsule.
enum class CapsuleName : uint8_t { kOwn, kUsed, kForeign, kTrailingSpace, kNone };

/// What the fake producer does when its __dlpack__ is called.
enum class Manners : uint8_t {
  kObeys,          // takes every keyword; answers with the offer's kind whatever max_version says
  kNegotiates,     // takes every keyword; legacy without max_version, the offer's kind with it
  kStreamOnly,     // the signature before 2023.12: TypeError for any keyword but stream
  kNoKeywords,     // TypeError for any keyword
  kRaises,         // raises BufferError
  kReturnsNone,    // returns None
  kReturnsStored,  // returns the capsule of its first call again
};

struct Offer {
  StructKind kind;
  StructPlace place;
  Placement placement;
  StridesKind strides_kind;
  DeleterKind deleter;
  ContextKind context;
  DestructorKind destructor;
  CapsuleName name;
  Manners manners;
  uint8_t alignment_log2;     // element 0's address is a multiple of 1 << alignment_log2 and of no more; 0..12
  uint8_t dims;               // really backed dimensions, 0..kDims
  uint8_t null_shape;         // shape is a NULL pointer
  uint8_t negative_metadata;  // hostile: shape holds negative or huge extents as written in `shape`
  uint8_t seal_on_delete;     // the deleter makes struct, metadata and data inaccessible
  uint8_t reserved[2];
  uint32_t major;
  uint32_t minor;
  uint64_t flags;
  abi::DLDevice device;           // inside the struct
  abi::DLDevice reported_device;  // by __dlpack_device__
  abi::DLDataType dtype;
  int32_t ndim;  // declared; beyond `dims` every extent is fill_extent and every stride 1
  int64_t fill_extent;
  int64_t shape[kDims];
  int64_t strides[kDims];  // elements; read only for kExplicit
  uint64_t byte_offset;    // added to data to reach element 0
  uint64_t seed;           // decides the element bits
};

/// How the library comes by the array that it is asked to export.
enum class Making : uint8_t { kFresh, kView, kReexport };

/// Peculiar arrays, each behind an adapter's claim.
enum class Oddity : uint8_t {
  kNone,
  kForeignByteOrder,
  kLongDouble,
  kComplexLongDouble,
  kObject,
  kUnalignedStride,  // byte strides that are no multiple of the item size
  kConjugate,
  kNegated,
  kSparse,
  kRequiresGrad,
  kMeta,
  kSubclass,
};

struct Request {
  Making making;
  StridesKind strides_kind;
  Oddity oddity;
  uint8_t read_only;
  uint8_t dims;
  uint8_t reserved[3];
  abi::DLDataType dtype;
  uint32_t reserved2;
  int64_t shape[kDims];
  int64_t strides[kDims];  // elements; read only for kExplicit
  int64_t offset;          // elements, from the start of the backing store to element 0; filled in by Normalize()
  uint64_t seed;
};

/// One argument of a call: a kind, and up to two integers.
enum class ArgumentKind : uint8_t {
  kAbsent,
  kNone,
  kPair,  // (a, b)
  kInt,   // a
  kTrue,
  kFalse,
  kList,      // [a, b]
  kOneTuple,  // (a,)
  kString,    // "dlpack"
  kFloats,    // (float(a), b)
  kHuge,      // (1 << 200, 0)
  kObject,    // object()
};

struct Argument {
  ArgumentKind kind;
  uint8_t reserved[7];
  int64_t a;
  int64_t b;
};

struct Call {
  Argument max_version;
  Argument dl_device;
  Argument copy;
  Argument stream;
  uint8_t unknown_keyword;  // adds nonsense=1
  uint8_t reserved[7];
};

/// One step of a life. `slot` names one of kSlots exchanges; `argument` is the step's own.
enum class Op : uint8_t {
  kEnd,  // nothing; steps behind it do not run
  // A consumer is fed.
  kImport,         // from_dlpack of a new fake producer for the slot's offer
  kImportCapsule,  // from_dlpack of a bare capsule, where the adapter claims it
  kImportAgain,    // from_dlpack of the same producer object or capsule a second time
  kDescribe,       // read the result's metadata
  kRead,           // read the elements twice: raw memory, and the library's own conversion
  kCompute,        // read the elements of an elementwise copy that the library computed
  kWriteSource,    // the harness writes element `argument` in the offered memory
  kWriteArray,     // the library writes element `argument`
  kTakeView,       // keep only a view of the result
  kReexport,       // export the result; the export takes slot `argument`
  kDropArray,      // drop the library's result
  kDropCapsule,    // drop the harness's own reference to the capsule
  kDropProducer,   // drop the fake producer
  kCollect,        // collect garbage and flush deferred releases
  kDropElsewhere,  // drop the library's result on another thread
  // A producer is asked.
  kMake,            // make the requested array
  kExport,          // call __dlpack__; the capsule goes into `slot` (argument 1: without max_version)
  kAskDevice,       // call __dlpack_device__
  kInspect,         // read the exported struct again and compare it with the first reading
  kReadExport,      // read the elements through the exported struct
  kWriteExport,     // write element `argument` through the exported struct
  kDropSource,      // drop the library's array
  kChangeMetadata,  // change shape or strides of the array in place (argument: 0 reshape, 1 transpose, 2 resize)
  kTakeCapsule,     // consume: rename the capsule to its used name and take over the tensor
  kDelete,          // call the deleter of the taken tensor (argument: 0 here, 1 on a raw thread)
  kDeleteTogether,  // call the deleters of all taken tensors at once, each on a raw thread of its own
  kLoseCapsule,     // drop the exported capsule (argument: 1 with a Python exception pending)
  kReadSource,      // read the library's own array again
  kUseSource,       // compute with the library's own array
  kImportSource,    // from_dlpack of the array that was made: by the partner of a pair, or by the library itself
  // The C exchange API of the made array's type is used.
  kTableFind,      // look the table up; once more when it was found before
  kTableExport,    // managed_tensor_from_py_object_no_sync of the made array; the tensor goes into `slot`, owned
  kTableImport,    // managed_tensor_to_py_object_no_sync of the slot's offer
  kTableView,      // dltensor_from_py_object_no_sync of the made array; the view goes into `slot`
  kTableAllocate,  // managed_tensor_allocator for the request (argument: Prototype); the tensor goes into `slot`, owned
  kTableStream,    // current_work_stream (argument 0: the CPU, 1: a device that nobody has)
  kCount,
};

/// What Op::kTableAllocate asks for.
enum class Prototype : uint8_t {
  kGood,
  kForeignType,     // a dtype code that nobody defined
  kForeignDevice,   // a device type that nobody defined
  kNegativeExtent,  // the first extent is -1
  kHuge,            // 2^60 elements
  kCount,
};

struct Step {
  Op op;
  uint8_t slot = 0;
  int16_t argument = 0;
};

inline constexpr uint32_t kRecipeMagic = 0x52504C44;  // "DLPR" in memory order
inline constexpr uint16_t kRecipeFormat = 1;

enum class RecipeKind : uint16_t { kImport, kExport };

struct Recipe {
  uint32_t magic;
  uint16_t format;
  RecipeKind kind;
  Offer offer;
  Request request;
  Call call;
  Step life[kSteps];
};

static_assert(std::is_trivially_copyable_v<Recipe> && std::is_standard_layout_v<Recipe>);

/// An empty recipe of that kind: a float32 scalar on the CPU, version 1.3, with no life.
Recipe MakeRecipe(RecipeKind kind);

/// Appends a step; ignores it when the life is full.
void AddStep(Recipe& recipe, Op op, int slot = 0, int argument = 0);

/// Makes these steps the recipe's whole life; plain operations are those of slot 0.
void SetLife(Recipe& recipe, std::initializer_list<Op> operations);
void SetLife(Recipe& recipe, std::initializer_list<Step> steps);

/// Bytes of one element, rounded up to whole bytes. 0 for a dtype that describes no element.
int64_t ItemSize(abi::DLDataType dtype);

/// Elements of the really backed shape; 1 for no dimensions. Saturates at INT64_MAX.
int64_t ElementCount(const int64_t* shape, int dims);

/// Writes the compact row-major strides (elements) of `shape` into `strides`.
void CompactStrides(const int64_t* shape, int dims, int64_t* strides);

/// Lowest and highest element index, relative to element 0, that shape and strides (elements) reach.
struct Span {
  int64_t lowest;
  int64_t highest;
};
Span ElementSpan(const int64_t* shape, const int64_t* strides, int dims);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_RECIPE_H_
