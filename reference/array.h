// reference/array.h: the reference's array, and the imports and exports that both of its faces share.
//
// A correct DLPack library in small: every type of DLPack 1.3, any strides, arrays on the CPU. Each step
// that a mutant can change asks the behaviour of the instance that acts (instance.h).
#ifndef DLPACK_CTS_REFERENCE_ARRAY_H_
#define DLPACK_CTS_REFERENCE_ARRAY_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/abi/dlpack.h"
#include "harness/recipe/recipe.h"
#include "reference/behaviour.h"
#include "reference/instance.h"

namespace dlpack_cts {

inline constexpr int kMaxDims = 64;
inline constexpr abi::DLPackVersion kReferenceVersion = {1, 3};

/// Keeps elements alive: memory of our own, or an imported tensor.
class Owner {
 public:
  virtual ~Owner() = default;
  /// The imported struct, or NULL.
  virtual const void* managed() const { return nullptr; }
  /// Overwrite the memory when it is freed, so that a late reader sees that it is gone.
  bool scrub = false;
};

/// Why an operation was refused. `path` is kPathNothing where it succeeded.
struct Denial {
  Path path = kPathNothing;
  const char* text = "";
  bool about_data = true;  // the data cannot be exchanged; false: the arguments are wrong

  explicit operator bool() const { return path != kPathNothing; }
};

struct Array {
  Reference& library;  // the instance that made it
  std::shared_ptr<Owner> owner;
  uint8_t* first = nullptr;  // element 0, or the byte in which it starts; NULL only without elements
  uint8_t* base = nullptr;   // begin of the store, where it is our own
  abi::DLDataType dtype = {abi::kDLFloat, 32, 1};
  abi::DLDevice device = {abi::kDLCPU,
                          0};  // another device only in a variant that forwards tensors that it cannot read
  int32_t ndim = 0;
  Denial denial = {};   // the reason why an array that was imported unchecked cannot be used
  int32_t raw = 0;      // bytes of an element of which no more is known; 0 where there is a type
  bool opaque = false;  // the data is only forwarded, because it is not readable on the host
  uint64_t apart = 0;   // byte_offset, which stays apart from such data
  bool read_only = false;
  bool padded = false;                      // elements of less than a byte have a byte each, or were flagged so
  uint8_t packed = 0;                       // bits from one element to the next where they share bytes, else 0
  uint8_t bit = 0;                          // of *first at which a packed element 0 starts
  bool high_first = false;                  // packed from the high bits of each byte down
  bool imported = false;                    // the elements belong to an imported tensor
  bool was_copy = false;                    // the import was flagged IS_COPIED
  uint8_t views = 0;                        // of which it is the last one: a view of a view has 2
  bool was_copied = false;                  // a copy of it was exported
  bool was_exported = false;                // it was exported before
  std::shared_ptr<int64_t> lent_dims = {};  // set by a mutant: shape and strides of its exports
  std::vector<int64_t> first_dims = {};     // set by a mutant: shape and strides of its first export
  bool locked = false;                      // set by a mutant: the array can no longer be read
  bool unusable = false;                    // set by a mutant: nothing can be computed with the array
  bool elsewhere = false;                   // set by a mutant: the array says that it lies on another device
  std::shared_ptr<Owner> lent = nullptr;    // set by a mutant: the memory of the latest copy that was exported
  std::vector<uint8_t> remembered = {};     // set by a mutant or variant: what every reading gives
  Oddity oddity = Oddity::kNone;
  std::shared_ptr<Array> resolved = nullptr;  // of a variant that caches what it resolved, until there is a write
  int64_t shape[kMaxDims];
  int64_t steps[kMaxDims];         // strides in bytes (packed: elements); 0 in dimensions of one element or none
  int64_t live_strides[kMaxDims];  // strides in elements that a mutant's exports point at

  Array() : library(Acting::Now()) {}
  /// A second array over the same elements.
  std::unique_ptr<Array> View() const;
  /// Its elements cannot be read.
  bool IsOpaque() const;
  /// It was taken although it has elements and no data.
  bool LacksData() const { return opaque && first == nullptr && device.device_type == abi::kDLCPU; }
  int64_t Count() const;
  int64_t ItemSize() const { return raw != 0 ? raw : dlpack_cts::ItemSize(dtype); }
  bool IsCompact() const;
};

// ---- Arrays of our own.

struct MakeOptions {
  std::string_view dtype;
  int64_t item_size = 0;
  std::span<const int64_t> shape;
  std::span<const int64_t> strides;  // elements
  int64_t offset = 0;                // elements
  std::span<const uint8_t> backing;
  bool read_only = false;
  Oddity oddity = Oddity::kNone;
};

/// NULL with `denial` filled where the reference has no such array.
std::unique_ptr<Array> MakeArray(const MakeOptions& options, Denial* denial);
/// A compact row-major copy with memory of its own.
std::unique_ptr<Array> CopyArray(const Array& array);
/// Copies the elements, row-major, into `out` (Count() * ItemSize() bytes).
void ReadElements(const Array& array, uint8_t* out);
/// False where the array is read-only or has no such element.
bool WriteElement(Array& array, int64_t index, const uint8_t* bits);
/// 0 reshape to one dimension, 1 transpose, 2 resize to one dimension with one element more.
bool ChangeArray(Array& array, int how, Denial* denial);

// ---- Imports.

struct ImportOptions {
  int copy = -1;  // -1: as needed
  bool has_device = false;
  abi::DLDevice device = {abi::kDLCPU, 0};
  bool may_narrow = false;  // somebody announces that the type changes
  bool borrows = false;     // somebody else owns the tensor, and gives the array its owner
  uint32_t arrival = 0;     // Arrival
  // The dtype and ndim of the array class, if there is one class for each type.
  bool typed = false;
  abi::DLDataType dtype = {};
  int32_t ndim = 0;
};

/// Looks at a tensor without taking it. The tensor stays the caller's whatever is found.
Denial CheckManaged(bool versioned, void* managed, const ImportOptions& options);
/// Takes a tensor that CheckManaged() found good: from now on the array owns it, unless it borrows.
std::unique_ptr<Array> TakeManaged(bool versioned, void* managed, const ImportOptions& options);
/// An array with a tensor that cannot be used. Each use is refused with the reason.
std::unique_ptr<Array> TakeUnseen(bool versioned, void* managed, Denial denial);
/// Check and take in one; on refusal the deleter was called. For callers without capsules.
std::unique_ptr<Array> ImportManaged(bool versioned, void* managed, const ImportOptions& options, Denial* denial);
/// False where a mutant takes no tensor while a deleter runs; one that locks waits here.
bool MayComeIn();
/// Calls the deleter; nothing for NULL. Reads only the stable prefix of a versioned struct.
void ReleaseManaged(bool versioned, void* managed);
/// What the steps around an import know of the tensor. Reads no tensor of a foreign major.
Occasion OccasionOf(bool versioned, const void* managed, int copy);
/// True when the active behaviour wants something else on that path.
bool Chosen(uint32_t mask, Path path, bool versioned, const void* managed);
/// Does what a Manner says. Comes back for kRaises and kReturnsNone.
void Act(Manner manner);
/// Hands a release to the moment that Owning::release says.
void ReleaseWhen(Release when, bool versioned, void* managed);

// ---- Exports.

/// Something that the export keeps alive beside the memory: the Python object.
struct Keeper {
  /// How a release gets the lock of the object's language.
  enum class Locking : uint8_t {
    kTakes,
    kAssumes,
    kTakesOnOtherThread,
    kTakesAfterTheEnd,
    kDiesAtExit,
    kQueues,
    kFreesUnlocked
  };
  void* object = nullptr;
  void (*release)(void* object, Locking locking) = nullptr;
  void (*raise)() = nullptr;  // leaves an exception pending, if the object's language has exceptions
};

struct ExportOptions {
  bool versioned = true;
  abi::DLPackVersion version = kReferenceVersion;
  int copy = -1;
  abi::DLDevice device = {abi::kDLCPU, 0};  // that the struct names
  Keeper keeper = {};                       // released by the deleter, or before a refusal returns
  uint32_t asked = kAskedNothing;           // Asked
};

/// A DLManagedTensor or DLManagedTensorVersioned; NULL with `denial` filled.
void* ExportManaged(Array& array, const ExportOptions& options, Denial* denial);
Occasion OccasionOf(const Array& array, bool versioned, int copy);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_ARRAY_H_
