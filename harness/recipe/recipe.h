// harness/recipe/recipe.h: the recipe, a plain value that describes one whole exchange.
//
// Blocks: what the forge offers, what the library makes, how it is called, and the steps of the exchange's life, which
// name the blocks that they use. Trivially copyable, so that it can be in shared memory while it runs. A header counts
// the used blocks. Unused blocks do not belong to the recipe, have any content, and are never accessed: Copy(), Same(),
// Normalize() (normalize.h) and the codec need time for used blocks only. Strides are in elements, offsets in bytes.
#ifndef DLPACK_CTS_HARNESS_RECIPE_RECIPE_H_
#define DLPACK_CTS_HARNESS_RECIPE_RECIPE_H_

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "harness/abi/dlpack.h"
#include "harness/recipe/gives.h"

namespace dlpack_cts {

inline constexpr int kDims = 64;    // dimensions of a recipe that have memory
inline constexpr int kBlocks = 4;   // at most so many offers, requests and calls each
inline constexpr int kSteps = 48;   // at most so many steps in a life
inline constexpr int kSlots = 4;    // exchanges that one recipe keeps alive at the same time
inline constexpr int kLanes = 8;    // threads that run steps, including the main one
inline constexpr int kStreams = 4;  // streams that a step may name, including none
inline constexpr int kRounds = 1000;

enum class StructKind : uint8_t { kLegacy, kVersioned, kView };
enum class StridesKind : uint8_t { kNull, kCompact, kExplicit };

/// The memory of an offer's data.
enum class Placement : uint8_t {
  kEndsAtGuard,    // the last element ends less than twice the alignment before an inaccessible page
  kStartsAtGuard,  // the lowest element follows an inaccessible page
  kReadOnlyPage,   // as kEndsAtGuard, in read-only pages
  kUnmapped,       // an inaccessible page
  kNull,           // a NULL pointer
  kForeignHandle,  // the number 0x1, which is not an address
  kFarOffset,      // element 0 is far after `data`, up to 4 GiB and 64 MiB, reached by byte_offset
  kDevice,         // on the CUDA device of the offer, if the driver has it; otherwise kUnmapped
};

/// The memory of the struct. Shape and strides always end at an inaccessible page.
enum class StructPlace : uint8_t {
  kGuarded,       // ends at an inaccessible page
  kReadOnly,      // as kGuarded, with struct, shape and strides in read-only pages
  kBodyUnmapped,  // everything after the stable prefix (from byte 32 on) is on an inaccessible page
};

/// What the first call of a deleter does, besides counting.
enum class DeleterKind : uint8_t {
  kCounting,
  kNull,          // the field deleter is NULL
  kReenters,      // calls the library, which imports another such tensor and drops it
  kMeetsThread,   // waits a moment, without the GIL, while another thread does so
  kDropsAnother,  // drops the imported array of the lowest other slot that has one
};
/// Whether the deleter makes the library import a tensor.
constexpr bool ImportsAnother(DeleterKind deleter) {
  return deleter == DeleterKind::kReenters || deleter == DeleterKind::kMeetsThread;
}
/// Whether the deleter calls the library.
constexpr bool Acts(DeleterKind deleter) { return ImportsAnother(deleter) || deleter == DeleterKind::kDropsAnother; }

enum class ContextKind : uint8_t { kPointer, kNull, kOne, kUnmapped };
enum class DestructorKind : uint8_t { kReleases, kNone };

/// The capsule name that the forge sets.
enum class CapsuleName : uint8_t { kOwn, kUsed, kForeign, kTrailingSpace, kNone };

/// How the fake producer's __dlpack__ answers one keyword. It answers an unknown keyword with TypeError.
enum class Reply : uint8_t {
  kIgnores,      // accepts it, and exports the offer unchanged
  kObeys,        // accepts it; BufferError if the offer does not satisfy it (max_version: also if it is missing)
  kTypeError,    // like a producer that does not know the keyword
  kBufferError,  // BufferError for any argument with that name
  kRaises,       // RuntimeError
};

/// The answers to each of the four keywords.
struct Keywords {
  Reply max_version;
  Reply dl_device;
  Reply copy;
  Reply stream;

  friend bool operator==(const Keywords&, const Keywords&) = default;
};
inline constexpr Keywords kIgnoresKeywords = {};
/// A legacy struct without max_version, the offer's kind with it.
inline constexpr Keywords kNegotiates = {Reply::kObeys, Reply::kIgnores, Reply::kIgnores, Reply::kIgnores};
/// The signature before 2023.12.
inline constexpr Keywords kStreamOnly = {Reply::kTypeError, Reply::kTypeError, Reply::kTypeError, Reply::kIgnores};
inline constexpr Keywords kNoKeywords = {Reply::kTypeError, Reply::kTypeError, Reply::kTypeError, Reply::kTypeError};

struct Offer {
  StructKind kind;
  StructPlace place;
  Placement placement;
  StridesKind strides_kind;
  DeleterKind deleter;
  ContextKind context;
  DestructorKind destructor;
  CapsuleName name;
  Keywords keywords;
  Gives gives;
  uint8_t
      alignment_log2;  // the address of element 0 is a multiple of 1 << alignment_log2, and not of twice that; 0..12
  uint8_t dims;        // dimensions with memory, 0..kDims
  uint8_t null_shape;  // shape is NULL
  uint8_t negative_metadata;  // invalid: `shape` has negative or huge extents
  uint8_t seal_on_delete;     // the deleter makes struct, metadata and data inaccessible
  uint8_t large;              // elements may take kLargeCapacity bytes (normalize.h), instead of kDataCapacity
  uint8_t reserved[5];
  uint64_t flags;
  uint32_t major;
  uint32_t minor;
  abi::DLDevice device;           // the field of the struct
  abi::DLDevice reported_device;  // the result of __dlpack_device__
  abi::DLDataType dtype;
  int32_t ndim;  // the field of the struct; extents after `dims` are fill_extent, strides 1
  int64_t fill_extent;
  uint64_t byte_offset;    // from data to element 0, in bytes
  uint64_t seed;           // determines the bits of the elements
  int64_t shape[kDims];    // the first `dims` entries; the others are 0
  int64_t strides[kDims];  // in elements; used only for kExplicit, otherwise 0
};

/// How the library gets the array that it exports.
enum class Making : uint8_t { kFresh, kView };

/// Unusual arrays. An adapter's claim enables them.
enum class Oddity : uint8_t {
  kNone,
  kForeignByteOrder,
  kLongDouble,
  kComplexLongDouble,
  kObject,
  kUnalignedStride,  // byte strides that are not multiples of the item size
  kConjugate,
  kNegated,
  kSparse,
  kRequiresGrad,
  kMeta,
  kSubclass,
  kIdleStride,  // byte strides that are not multiples of the item size, in dimensions of one element
  kZeros,       // elements without memory; all are 0, whatever the request says
  // Elements of types that DLPack lacks, whatever dtype the request has.
  kDate,
  kQuantized,  // integers that stand for other numbers
  kText,
  kScalarObject,  // one element, as the library's scalar object, which is not an array
};
/// Whether no DLDataType describes the elements. An array of objects has one: an opaque handle.
constexpr bool LacksDataType(Oddity oddity) {
  return oddity == Oddity::kObject || (oddity >= Oddity::kDate && oddity <= Oddity::kText);
}

struct Request {
  Making making;
  StridesKind strides_kind;
  Oddity oddity;
  uint8_t read_only;
  uint8_t dims;
  uint8_t large;  // as for an offer
  uint8_t reserved[6];
  abi::DLDataType dtype;
  abi::DLDevice device;    // of the array; only the CPU has an effect yet
  int64_t offset;          // from the start of the backing store to element 0, in elements; set by Normalize()
  uint64_t seed;           // determines the bits of the elements
  int64_t shape[kDims];    // the first `dims` entries; the others are 0
  int64_t strides[kDims];  // in elements; used only for kExplicit, otherwise 0
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
  kBools,     // (bool(a), bool(b))
  // The same values, as objects of other classes.
  kEnumPair,      // (an enumerator of an IntEnum, b)
  kSubclassPair,  // an object of a subclass of tuple, with two of a subclass of int
  kIndexPair,     // a tuple of two objects that have __index__ and are not ints, as NumPy's integers are
  kEnumInt,
  kSubclassInt,
  kIndexInt,
};
/// The kind with the same value whose objects have the usual classes.
constexpr ArgumentKind UsualKind(ArgumentKind kind) {
  if (kind >= ArgumentKind::kEnumInt) return ArgumentKind::kInt;
  return kind >= ArgumentKind::kEnumPair ? ArgumentKind::kPair : kind;
}

struct Argument {
  ArgumentKind kind;
  uint8_t reserved[7];
  int64_t a;
  int64_t b;

  friend bool operator==(const Argument&, const Argument&) = default;
};

inline bool IsNothing(const Argument& argument) {
  return argument.kind == ArgumentKind::kAbsent || argument.kind == ArgumentKind::kNone;
}

/// max_version of a consumer that supports every version.
inline constexpr Argument kNewestVersion{ArgumentKind::kPair, {}, 1, 3};

inline constexpr int kKeywordOrders = 24;

struct Call {
  Argument max_version;
  Argument dl_device;
  Argument copy;
  Argument stream;
  uint8_t unknown_keyword;  // adds nonsense=1
  uint8_t fresh_names;      // the names of keywords are new strings, which are not interned
  uint8_t order;            // of the keywords: the permutation with that number, of kKeywordOrders; 0: as above
  uint8_t reserved[5];
};

/// What a step does. It names its slot, one of kSlots exchanges; the comments here name the other fields that it uses.
/// ops.h has the rest.
enum class Op : uint8_t {
  kEnd,  // nothing; later steps do not run
  // The library consumes; `block` is the offer, `call` has the arguments.
  kImport,  // from_dlpack of a new fake producer of the offer, at the struct address of slot `other` if it is set
  kImportCapsule,  // from_dlpack of a bare capsule, if the adapter claims that
  kImportAgain,    // from_dlpack of the same producer or capsule a second time
  kDescribe,       // read the metadata of the result
  kRead,           // read the elements twice: from memory, and by the library's own conversion
  kCompute,        // read the elements of a copy that the library computed
  kWriteSource,    // the harness writes element `argument` to the offered memory
  kWriteArray,     // the library writes element `argument`
  kTakeView,       // keep only a view of the result
  kReexport,       // export the result into slot `other`
  kDropArray,      // drop the library's result
  kDropCapsule,    // drop the harness's own reference to the capsule
  kDropProducer,   // drop the fake producer
  kCollect,        // collect garbage and flush deferred releases
  // The library produces; the source is that of slot `other` (none: slot 0), `block` is the request, `call` has the
  // arguments.
  kMake,         // make the requested array, the source of `slot` (argument: keep only a view of so many views, 0..2)
  kExport,       // call __dlpack__ of the source; the capsule is put into `slot`
  kAskDevice,    // call __dlpack_device__
  kInspect,      // read the exported struct again and compare it with the first read
  kReadExport,   // read the elements through the exported struct
  kWriteExport,  // write element `argument` through the exported struct
  kDropSource,   // drop the library's array
  kChangeMetadata,  // change shape or strides of the array in place (argument: 0 reshape, 1 transpose, 2 resize)
  kTakeCapsule,     // consume: rename the capsule to its used name, and own the tensor
  kDelete,          // call the deleter of the owned tensor
  kLoseCapsule,     // drop the exported capsule
  kReadSource,      // read the library's own array again
  kUseSource,       // compute with the library's own array
  kImportSource,    // from_dlpack of the source into `slot`, by the other library of a pair, or by the library itself
  // Steps with the C exchange API of the type of the made array; the source is that of slot `other` (none: slot 0).
  kTableFind,      // look up the table; a second time if it was found before
  kTableExport,    // managed_tensor_from_py_object_no_sync of the source (argument: Passed); `slot` owns the tensor
  kTableImport,    // managed_tensor_to_py_object_no_sync of the offer
  kTableView,      // dltensor_from_py_object_no_sync of the source into `slot` (argument: Passed)
  kTableAllocate,  // managed_tensor_allocator for the request (argument: Prototype); `slot` owns the tensor
  kTableStream,    // current_work_stream (argument 0: the CPU, 1: an undefined device, 2: the array's device)
  kExportOften,    // drop the export; make and export many more, one after another (argument: Often, often.h)
  // Several threads act at the same time, in many rounds. Each uses the slot of its number, which no step fills.
  kExportTogether,  // drop the export; each thread exports the source as `call` says, then all delete (argument:
                    // Beside, together.h)
  kImportTogether,  // each thread imports, describes and drops as `call` says (argument: Sharing)
  kAskArray,        // call __dlpack_device__ of the imported array
  kCountImports,    // import many more such tensors as `call` says, and count references to the objects they use
  kCountExports,    // export the source many more times as `call` says, and count references
  // Explicit close, by the adapter's hook (argument: Closing).
  kCloseArray,   // close the imported array
  kCloseSource,  // close the source
  // Entries of a consumer that only use the exchange table of the producer's type; `block` is the offer.
  kImportByTable,  // from_exchange of a new fake producer
  kPeek,           // peek of a new fake producer, which describes the tensor; no array is made
  // The array that the library made; the source is that of slot `other` (none: slot 0).
  kDescribeSource,  // describe it again, and compare with the description before
  kWriteMade,       // the library writes element `argument`, and reads it again
  kCount,
};

/// What Op::kCloseArray and Op::kCloseSource close, and which array the slot has after it.
enum class Closing : uint8_t {
  kAlone,      // the array itself, which stays in the slot
  kKeepsView,  // the array itself; a view of it that was made before stays
  kOfView,     // a view of the array, which stays
  kCount,
};

/// The prototype of Op::kTableAllocate.
enum class Prototype : uint8_t {
  kGood,
  kForeignType,     // an undefined dtype code
  kForeignDevice,   // an undefined device type
  kNegativeExtent,  // the first extent is -1
  kHuge,            // 2^60 elements; 2^64 in two dimensions, if the request has two
  kCount,
};

/// The second slot of a step that has two.
enum class Other : uint8_t { kNone, kSlot0, kSlot1, kSlot2, kSlot3 };

/// The library of a pair that runs the step.
enum class Actor : uint8_t {
  kUsual,     // as the operation says: the producer makes and exports, the consumer imports
  kProducer,  // the library that makes arrays
  kConsumer,  // the library that imports them
};

/// The state of the interpreter or of the thread during the step. engine.h says which steps can have it.
enum class Context : uint8_t {
  kUsual,
  kRawThread,         // on a thread without the GIL that the library's runtime does not know; lane 0: on a new one
  kPendingException,  // with a Python exception pending
  kCollection,        // during a garbage collection
  kStrictWarnings,    // while every warning is an exception
  kAtExit,            // in an exit handler
  kForkedChild,       // in a forked child
  kSubinterpreter,    // while a sub-interpreter ends
  kFinalised,         // after the interpreter was finalized
  kOtherDevice,       // while another CUDA device than the array's is current
  kCapture,           // while the thread captures a CUDA stream of the harness
  kPendingWork,       // while work is pending on the CUDA stream that an export starts from, or that a consumer passes
  kHeldStream,        // while the CUDA stream that the step names is blocked
  kEndedStream,       // after the CUDA stream of its export was destroyed, and another stream has its handle
};
/// Whether the context ends a process. The step then runs in a fork.
constexpr bool EndsProcess(Context context) { return context >= Context::kAtExit && context <= Context::kFinalised; }
/// Whether the context needs a CUDA driver. Without one the step runs as usual.
constexpr bool IsOfCuda(Context context) { return context >= Context::kOtherDevice; }

/// One step of a life. The steps of one lane run in order. Steps of different lanes may overlap, but a step with a
/// barrier starts when all earlier steps of every lane have ended.
struct Step {
  Op op = Op::kEnd;
  uint8_t slot = 0;
  Other other = Other::kNone;
  uint8_t block = 0;  // the offer or request
  uint8_t call = 0;   // the block of arguments
  Actor actor = Actor::kUsual;
  uint8_t lane = 0;  // the thread; 0 is the main thread, the harness makes the others
  uint8_t barrier = 0;
  Context context = Context::kUsual;
  uint8_t stream = 0;  // a stream of the harness, whose handle replaces the stream argument of an export; 0: none
  uint8_t reserved[2] = {};
  int32_t argument = 0;  // as the operation says
};

/// The functions of the exchange table, in its order.
enum class TableFunction : uint8_t { kAllocator, kFromObject, kToObject, kView, kStream, kCount };
inline constexpr int kTableFunctions = static_cast<int>(TableFunction::kCount);

/// The value of `__dlpack_c_exchange_api__` on the type of a fake producer.
enum class TableAttribute : uint8_t {
  kNone,       // no attribute; all other fields of ForgedTable are 0
  kCapsule,    // a capsule of the right name that holds the table
  kMisnamed,   // a capsule of another name, with an address in inaccessible memory
  kNoCapsule,  // a str
  kOnObject,   // as kCapsule, but the type has no such attribute, only an object of it
  kInteger,    // an int, the address of the table
};

/// The exchange table on the type of every fake producer of the recipe. If its major version is not 1, its body is not
/// readable. The allocator always fails; if `failing_slots` names it, it reports that without the GIL.
struct ForgedTable {
  TableAttribute attribute;
  uint8_t null_slots;     // functions that are NULL; one bit for each, in the order of the table
  uint8_t failing_slots;  // functions that return -1 with an exception set
  uint8_t silent_slots;   // functions that return -1 without an exception
  uint8_t empty_slots;    // functions that return 0 and NULL, or a DLTensor of zeros
  uint8_t chain_length;   // tables behind prev_api, 0..kChain
  uint8_t moves;          // after so many look-ups the table has another address; 0: never
  uint8_t reserved;
  abi::DLPackVersion version;
  static constexpr int kChain = 4;
  abi::DLPackVersion chain[kChain];  // versions of the tables behind prev_api
};

inline constexpr uint32_t kRecipeMagic = 0x52504C44;  // "DLPR" in memory order
inline constexpr uint16_t kRecipeFormat = 2;

enum class RecipeKind : uint16_t { kImport, kExport };

/// How many blocks and steps of a recipe are used. Block 0 of each kind always is.
struct UsedBlocks {
  uint8_t offers, requests, calls, steps;
};

struct Recipe {
  uint32_t magic;
  uint16_t format;
  RecipeKind kind;
  UsedBlocks used;
  uint16_t rounds;  // how often the whole life runs, 1..kRounds; the ledger is that of the last round
  uint8_t reserved[2];
  ForgedTable table;
  Offer offers[kBlocks];
  Request requests[kBlocks];
  Call calls[kBlocks];
  Step steps[kSteps];

  Offer& offer(int block = 0) { return offers[block]; }
  const Offer& offer(int block = 0) const { return offers[block]; }
  Request& request(int block = 0) { return requests[block]; }
  const Request& request(int block = 0) const { return requests[block]; }
  Call& call(int block = 0) { return calls[block]; }
  const Call& call(int block = 0) const { return calls[block]; }
  std::span<Step> life() { return {steps, used.steps}; }
  std::span<const Step> life() const { return {steps, used.steps}; }
};

static_assert(std::is_trivially_copyable_v<Recipe> && std::is_standard_layout_v<Recipe>);

/// The places that the four keywords have in Call, in the order in which the call passes them.
std::array<int, 4> KeywordOrder(const Call& call);

/// An empty recipe of that kind: a float32 scalar on the CPU, version 1.3, without steps.
Recipe MakeRecipe(RecipeKind kind);

/// Like an assignment, without unused blocks.
void Copy(const Recipe& from, Recipe& to);

/// Whether headers and used blocks are equal byte by byte.
bool Same(const Recipe& a, const Recipe& b);
/// The same without the steps.
bool SameBlocks(const Recipe& a, const Recipe& b);

/// Adds a block, a copy of `like`. Returns the last block if all are used.
Offer& AddOffer(Recipe& recipe, const Offer& like);
Request& AddRequest(Recipe& recipe, const Request& like);
Call& AddCall(Recipe& recipe, const Call& like);

/// Appends a step. Does nothing if the life is full.
void AddStep(Recipe& recipe, const Step& step);
void AddStep(Recipe& recipe, Op op, int slot = 0);

/// Sets all steps of the recipe. Operations without further fields use slot 0.
void SetLife(Recipe& recipe, std::initializer_list<Op> operations);
void SetLife(Recipe& recipe, std::span<const Step> steps);
inline void SetLife(Recipe& recipe, std::initializer_list<Step> steps) {
  SetLife(recipe, std::span<const Step>(steps.begin(), steps.size()));
}

/// The recipe with that life. The compiler may evaluate the steps before the recipe: neither may depend on the other.
Recipe WithLife(Recipe recipe, std::initializer_list<Op> operations);
Recipe WithLife(Recipe recipe, std::initializer_list<Step> steps);

/// Whether one exchange takes as long as hundreds: repeated exports, racing threads, an interpreter that ends.
bool TakesLong(const Recipe& recipe);

/// Converts between a step's second slot and a number; -1: none.
constexpr int OtherSlot(const Step& step) { return static_cast<int>(step.other) - 1; }
constexpr Other OtherOf(int slot) { return static_cast<Other>(slot + 1); }

/// The absolute value; INT64_MAX for INT64_MIN.
constexpr int64_t Magnitude(int64_t number) {
  if (number == INT64_MIN) return INT64_MAX;
  return number < 0 ? -number : number;
}

/// Bits of one element. 0 for an invalid dtype.
int64_t ItemBits(abi::DLDataType dtype);
/// Bytes of one element, rounded up to whole bytes.
int64_t ItemSize(abi::DLDataType dtype);

/// The number of elements of the shape; 1 without dimensions. At most INT64_MAX.
int64_t ElementCount(const int64_t* shape, int dims);

/// Writes the row-major compact strides of `shape`, in elements, to `strides`.
void CompactStrides(const int64_t* shape, int dims, int64_t* strides);

/// Whether the strides are compact. That of a dimension without a second element may be any. `unit`: what an element
/// counts in the strides: 1, or its bytes. `dims`: at most kDims.
bool AreCompact(const int64_t* shape, int dims, const int64_t* strides, int64_t unit);

/// The lowest and highest element that shape and strides (in elements) reach, relative to element 0.
struct Span {
  int64_t lowest;
  int64_t highest;
};
Span ElementSpan(const int64_t* shape, const int64_t* strides, int dims);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_RECIPE_H_
