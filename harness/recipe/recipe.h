// harness/recipe/recipe.h: the recipe, a plain value that describes one whole exchange.
//
// Blocks: what the forge offers, what the library is asked to make, how it is called, and the steps of the exchange's
// life, which name the blocks that they use. Trivially copyable, so that it lies in shared memory while it runs. A
// header counts the used blocks. The unused ones do not belong to the recipe, have any content, and are never accessed:
// Copy(), Same(), Normalize() (normalize.h) and the codec take time for the used ones only. Strides are in elements,
// offsets in bytes.
#ifndef DLPACK_CTS_HARNESS_RECIPE_RECIPE_H_
#define DLPACK_CTS_HARNESS_RECIPE_RECIPE_H_

#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "harness/abi/dlpack.h"

namespace dlpack_cts {

inline constexpr int kDims = 64;    // dimensions that a recipe really backs with memory
inline constexpr int kBlocks = 4;   // offers, requests and calls, of each
inline constexpr int kSteps = 48;   // steps of a life
inline constexpr int kSlots = 4;    // exchanges that one recipe keeps alive side by side
inline constexpr int kLanes = 8;    // threads that take steps, the main one included
inline constexpr int kStreams = 4;  // streams that a step may name, none included
inline constexpr int kRounds = 1000;

enum class StructKind : uint8_t { kLegacy, kVersioned, kView };
enum class StridesKind : uint8_t { kNull, kCompact, kExplicit };

/// Where the data of an offer lies.
enum class Placement : uint8_t {
  kEndsAtGuard,    // the last element ends less than twice the alignment in front of an inaccessible page
  kStartsAtGuard,  // the lowest element follows an inaccessible page
  kReadOnlyPage,   // as kEndsAtGuard, in pages that cannot be written
  kUnmapped,       // an inaccessible page
  kNull,           // a NULL pointer
  kForeignHandle,  // the number 0x1, which is not an address
  kFarOffset,      // element 0 lies far behind `data`, up to 4 GiB and 64 MiB, reached through byte_offset
  kDevice,         // on the CUDA device that the offer names, where the driver has it; elsewhere it is kUnmapped
};

/// Where the struct lies; shape and strides always end at an inaccessible page.
enum class StructPlace : uint8_t {
  kGuarded,       // ends at an inaccessible page
  kReadOnly,      // as kGuarded, with struct, shape and strides in pages that cannot be written
  kBodyUnmapped,  // everything behind the stable prefix (byte 32 on) lies on an inaccessible page
};

/// What the first call of a deleter does beside being counted.
enum class DeleterKind : uint8_t {
  kCounting,
  kNull,         // NULL
  kReenters,     // has the library import another such tensor, and drop it
  kMeetsThread,  // waits, without the GIL, for a moment while another thread does so
};
/// True for deleters that call the library.
constexpr bool Acts(DeleterKind deleter) {
  return deleter == DeleterKind::kReenters || deleter == DeleterKind::kMeetsThread;
}

enum class ContextKind : uint8_t { kPointer, kNull, kOne, kUnmapped };
enum class DestructorKind : uint8_t { kReleases, kNone };

/// The name that the forge gives to its capsule.
enum class CapsuleName : uint8_t { kOwn, kUsed, kForeign, kTrailingSpace, kNone };

/// How the fake producer's __dlpack__ answers one keyword that it is called with. A keyword outside the four is always
/// a TypeError.
enum class Reply : uint8_t {
  kIgnores,    // takes it and exports what the offer says all the same
  kObeys,      // takes it; BufferError where the offer is not what is asked for (max_version: also where it is absent)
  kTypeError,  // as a producer that does not know the keyword
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
/// Legacy without max_version, the offer's kind with it.
inline constexpr Keywords kNegotiates = {Reply::kObeys, Reply::kIgnores, Reply::kIgnores, Reply::kIgnores};
/// The signature before 2023.12.
inline constexpr Keywords kStreamOnly = {Reply::kTypeError, Reply::kTypeError, Reply::kTypeError, Reply::kIgnores};
inline constexpr Keywords kNoKeywords = {Reply::kTypeError, Reply::kTypeError, Reply::kTypeError, Reply::kTypeError};

/// What __dlpack__ gives once no keyword stands against it.
enum class Gives : uint8_t {
  kCapsule,
  kStored,       // the capsule of its first call again
  kBufferError,  // raises BufferError
  kNone,         // returns None
  kOSError,      // raises OSError, which no keyword's answer is
  kNoDevice,     // as kCapsule, and __dlpack_device__ raises OSError
  kDeviceAlone,  // there is no __dlpack__
  kNoMethods,    // there is neither method
  kTypeError,    // raises TypeError, whatever it is asked with
  // As kCapsule, and __dlpack_device__ returns something other than a pair of integers.
  kNoneForDevice,    // None
  kNumberForDevice,  // 1
  kOneForDevice,     // (1,)
  kThreeForDevice,   // (1, 0, 0)
  kTextForDevice,    // ("cpu", 0)
};
/// True if __dlpack_device__ returns something other than a pair of integers.
constexpr bool MisnamesDevice(Gives gives) { return gives >= Gives::kNoneForDevice; }

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
  uint8_t alignment_log2;     // element 0's address is a multiple of 1 << alignment_log2 and of no more; 0..12
  uint8_t dims;               // really backed dimensions, 0..kDims
  uint8_t null_shape;         // shape is a NULL pointer
  uint8_t negative_metadata;  // hostile: shape holds negative or huge extents as written in `shape`
  uint8_t seal_on_delete;     // the deleter makes struct, metadata and data inaccessible
  uint8_t large;              // elements may take kLargeCapacity bytes (normalize.h), not only kDataCapacity
  uint8_t reserved[5];
  uint64_t flags;
  uint32_t major;
  uint32_t minor;
  abi::DLDevice device;           // inside the struct
  abi::DLDevice reported_device;  // by __dlpack_device__
  abi::DLDataType dtype;
  int32_t ndim;  // declared; beyond `dims` every extent is fill_extent and every stride 1
  int64_t fill_extent;
  uint64_t byte_offset;    // added to data to reach element 0
  uint64_t seed;           // decides the element bits
  int64_t shape[kDims];    // the first `dims`; 0 behind them
  int64_t strides[kDims];  // elements; read only for kExplicit, and 0 otherwise
};

/// How the library comes by the array that it is asked to export.
enum class Making : uint8_t { kFresh, kView };

/// Unusual arrays, each enabled by an adapter's claim.
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
  kIdleStride,  // in dimensions of one element, byte strides that are not multiples of the item size
  kZeros,       // that lie in no memory; the elements are 0 whatever the request says
  // Elements of types that DLPack lacks, whatever type the request says.
  kDate,
  kQuantized,  // integers that stand for other numbers
  kText,
  kScalarObject,  // one element, as the library's object for single elements, which is not an array
};
/// True for elements of a type that no DLDataType tells; of an array of objects it tells that it is opaque.
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
  abi::DLDevice device;    // on which the array is made; only the CPU has an effect yet
  int64_t offset;          // elements, from the start of the backing store to element 0; filled in by Normalize()
  uint64_t seed;           // decides the element bits
  int64_t shape[kDims];    // the first `dims`; 0 behind them
  int64_t strides[kDims];  // elements; read only for kExplicit, and 0 otherwise
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
};

struct Argument {
  ArgumentKind kind;
  uint8_t reserved[7];
  int64_t a;
  int64_t b;

  friend bool operator==(const Argument&, const Argument&) = default;
};

/// max_version of a consumer that reads every version.
inline constexpr Argument kNewestVersion{ArgumentKind::kPair, {}, 1, 3};

struct Call {
  Argument max_version;
  Argument dl_device;
  Argument copy;
  Argument stream;
  uint8_t unknown_keyword;  // adds nonsense=1
  uint8_t fresh_names;      // the keywords' names are strings made for the call, which are not interned
  uint8_t reserved[6];
};

/// What a step does. It names its slot, one of kSlots exchanges; the other fields that it reads are said here. ops.h
/// has the rest.
enum class Op : uint8_t {
  kEnd,  // nothing; steps behind it do not run
  // A consumer is fed; `block` names the offer, `call` the arguments.
  kImport,  // from_dlpack of a new fake producer for the offer, at the struct address of slot `other` if it has one
  kImportCapsule,  // from_dlpack of a bare capsule, where the adapter claims it
  kImportAgain,    // from_dlpack of the same producer object or capsule a second time
  kDescribe,       // read the result's metadata
  kRead,           // read the elements twice: raw memory, and the library's own conversion
  kCompute,        // read the elements of an elementwise copy that the library computed
  kWriteSource,    // the harness writes element `argument` in the offered memory
  kWriteArray,     // the library writes element `argument`
  kTakeView,       // keep only a view of the result
  kReexport,       // export the result; the export takes slot `other`
  kDropArray,      // drop the library's result
  kDropCapsule,    // drop the harness's own reference to the capsule
  kDropProducer,   // drop the fake producer
  kCollect,        // collect garbage and flush deferred releases
  // A producer is asked about the source of slot `other` (none: of 0); `block` names the request, `call` the arguments.
  kMake,            // make the requested array, the source of `slot` (argument: kept as a view of so many views, 0..2)
  kExport,          // call __dlpack__ of the source; the capsule goes into `slot`
  kAskDevice,       // call __dlpack_device__
  kInspect,         // read the exported struct again and compare it with the first reading
  kReadExport,      // read the elements through the exported struct
  kWriteExport,     // write element `argument` through the exported struct
  kDropSource,      // drop the library's array
  kChangeMetadata,  // change shape or strides of the array in place (argument: 0 reshape, 1 transpose, 2 resize)
  kTakeCapsule,     // consume: rename the capsule to its used name and take over the tensor
  kDelete,          // call the deleter of the taken tensor
  kLoseCapsule,     // drop the exported capsule
  kReadSource,      // read the library's own array again
  kUseSource,       // compute with the library's own array
  kImportSource,    // from_dlpack of the source into `slot`: by the partner of a pair, or by itself
  // The C exchange API of the made array's type is used; the source is that of slot `other` (none: of 0).
  kTableFind,      // look the table up; once more when it was found before
  kTableExport,    // managed_tensor_from_py_object_no_sync of the source; the tensor goes into `slot`, owned
  kTableImport,    // managed_tensor_to_py_object_no_sync of the offer
  kTableView,      // dltensor_from_py_object_no_sync of the source; the view goes into `slot`
  kTableAllocate,  // managed_tensor_allocator for the request (argument: Prototype); the tensor goes into `slot`, owned
  kTableStream,    // current_work_stream (argument 0: the CPU, 1: an undefined device, 2: the array's own)
  kExportOften,    // ends the export; makes and exports many more, one by one (argument: Often, often.h)
  // Several threads, again and again, with a start for all. Each takes part with a slot of its own, which nothing
  // fills.
  kExportTogether,  // ends the export; they export the source as `call` says, then delete all at once (argument:
                    // Beside)
  kImportTogether,  // they import, describe and drop as `call` says (argument: Sharing)
  kAskArray,        // call __dlpack_device__ of the imported array
  kCount,
};

/// What Op::kTableAllocate asks for.
enum class Prototype : uint8_t {
  kGood,
  kForeignType,     // an undefined dtype code
  kForeignDevice,   // an undefined device type
  kNegativeExtent,  // the first extent is -1
  kHuge,            // 2^60 elements; 2^64 in two dimensions, where the request has as many
  kCount,
};

/// What one of the threads of Op::kExportTogether does meanwhile. kMany: one thread has hundreds of exports at once.
enum class Beside : uint8_t { kNothing, kImports, kChangesMetadata, kMany, kCount };

/// What the threads of Op::kImportTogether are given.
enum class Sharing : uint8_t {
  kNothing,     // a tensor each
  kOneCapsule,  // one producer, whose offer has to give a stored capsule
  kOneBare,     // one bare capsule
  kCount,
};

/// The second slot of a step that has two.
enum class Other : uint8_t { kNone, kSlot0, kSlot1, kSlot2, kSlot3 };

/// Which library of a pair takes the step.
enum class Actor : uint8_t {
  kUsual,     // as its operation says: the producer makes and exports, the consumer imports
  kProducer,  // the one that makes arrays
  kConsumer,  // the one that imports them
};

/// The state of the interpreter, or of the thread, in which the step is taken. engine.h says which steps take it.
enum class Context : uint8_t {
  kUsual,
  kRawThread,         // on a thread that the library's runtime has never seen, without the GIL; lane 0: on a new one
  kPendingException,  // with a Python exception pending
  kCollection,        // out of a garbage collection
  kAtExit,            // out of an exit handler
  kForkedChild,       // in a child of the process
  kSubinterpreter,    // out of the end of another interpreter of the process
  kFinalised,         // after the interpreter was finalised
  kOtherDevice,       // with another CUDA device current than the array's
  kCapture,           // while the thread captures a CUDA stream of the harness
  kPendingWork,       // while work is pending on the CUDA stream that an export starts from, or that a consumer passes
  kHeldStream,        // while the CUDA stream that the step names is held
  kEndedStream,       // when the CUDA stream that its export named has ended, and another one has its handle
};
/// True for contexts that end a process, and stand in a copy of it so.
constexpr bool EndsProcess(Context context) { return context >= Context::kAtExit && context <= Context::kFinalised; }
/// True for contexts that a CUDA driver makes; elsewhere the step is taken as usual.
constexpr bool IsOfCuda(Context context) { return context >= Context::kOtherDevice; }

/// One step of a life. The steps of one lane follow each other; those of different lanes may overlap, except that a
/// step with a barrier begins when everything before it has ended, on every lane.
struct Step {
  Op op = Op::kEnd;
  uint8_t slot = 0;
  Other other = Other::kNone;
  uint8_t block = 0;  // which offer or request
  uint8_t call = 0;   // which call block
  Actor actor = Actor::kUsual;
  uint8_t lane = 0;  // thread; 0 is the main one, the others are made by the harness
  uint8_t barrier = 0;
  Context context = Context::kUsual;
  uint8_t stream = 0;  // of the harness, whose handle an export is given for that of its call; 0 none
  uint8_t reserved[2] = {};
  int32_t argument = 0;  // the operation's own
};

/// The functions of a table of the C exchange API, in its order.
enum class TableFunction : uint8_t { kAllocator, kFromObject, kToObject, kView, kStream, kCount };
inline constexpr int kTableFunctions = static_cast<int>(TableFunction::kCount);

/// What `__dlpack_c_exchange_api__` is on the type of a fake producer.
enum class TableAttribute : uint8_t {
  kNone,       // no attribute; all other fields of ForgedTable are 0
  kCapsule,    // a capsule of the right name that holds the table
  kMisnamed,   // a capsule of another name that holds an address of inaccessible memory
  kNoCapsule,  // a str
  kOnObject,   // as kCapsule, but the type has no such attribute: only an object of it
  kInteger,    // an int, the address of the table
};

/// A C exchange table on the type of every fake producer of the recipe. A table of another major version than 1 has no
/// body that can be read. An allocator never has memory; one that fails by name reports so without the GIL.
struct ForgedTable {
  TableAttribute attribute;
  uint8_t null_slots;     // NULL pointers; a bit per function, in the order of the table
  uint8_t failing_slots;  // functions that return -1 with an exception set
  uint8_t silent_slots;   // functions that return -1 without one
  uint8_t empty_slots;    // functions that return 0 and give nothing: NULL, or a view of zeros
  uint8_t chain_length;   // tables behind prev_api, 0..kChain
  uint8_t moves;          // after so many look-ups the table has another address; 0: never
  uint8_t reserved;
  abi::DLPackVersion version;
  static constexpr int kChain = 4;
  abi::DLPackVersion chain[kChain];  // of the tables behind prev_api
};

inline constexpr uint32_t kRecipeMagic = 0x52504C44;  // "DLPR" in memory order
inline constexpr uint16_t kRecipeFormat = 2;

enum class RecipeKind : uint16_t { kImport, kExport };

/// How many blocks and steps of a recipe are used. Block 0 of each always is.
struct UsedBlocks {
  uint8_t offers;
  uint8_t requests;
  uint8_t calls;
  uint8_t steps;
};

struct Recipe {
  uint32_t magic;
  uint16_t format;
  RecipeKind kind;
  UsedBlocks used;
  uint16_t rounds;  // how often the whole life is taken, 1..kRounds; the ledger is the last one's
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

/// An empty recipe of that kind: a float32 scalar on the CPU, version 1.3, with no life.
Recipe MakeRecipe(RecipeKind kind);

/// As a plain assignment, without the blocks that are not used.
void Copy(const Recipe& from, Recipe& to);

/// True when header and used blocks are equal byte by byte.
bool Same(const Recipe& a, const Recipe& b);
/// The same without the life.
bool SameBlocks(const Recipe& a, const Recipe& b);

/// One more block, a copy of that one. The last block there is when all are used.
Offer& AddOffer(Recipe& recipe, const Offer& like);
Request& AddRequest(Recipe& recipe, const Request& like);
Call& AddCall(Recipe& recipe, const Call& like);

/// Appends a step; ignores it when the life is full.
void AddStep(Recipe& recipe, const Step& step);
void AddStep(Recipe& recipe, Op op, int slot = 0);

/// Makes these steps the recipe's whole life; plain operations are those of slot 0.
void SetLife(Recipe& recipe, std::initializer_list<Op> operations);
void SetLife(Recipe& recipe, std::span<const Step> steps);
inline void SetLife(Recipe& recipe, std::initializer_list<Step> steps) {
  SetLife(recipe, std::span<const Step>(steps.begin(), steps.size()));
}

/// True where one exchange costs as much as hundreds: exports that come and go, threads that race, an interpreter that
/// ends.
bool TakesLong(const Recipe& recipe);

/// A step's second slot as a number, -1 for none, and back.
constexpr int OtherSlot(const Step& step) { return static_cast<int>(step.other) - 1; }
constexpr Other OtherOf(int slot) { return static_cast<Other>(slot + 1); }

/// The number without its sign; INT64_MAX for the lowest one, which has no other.
constexpr int64_t Magnitude(int64_t number) {
  if (number == INT64_MIN) return INT64_MAX;
  return number < 0 ? -number : number;
}

/// Bits of one element. 0 for a dtype that describes no element.
int64_t ItemBits(abi::DLDataType dtype);
/// Bytes of one element, rounded up to whole bytes.
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
