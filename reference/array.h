// reference/array.h: the array of the reference, and the imports and exports that its Python type and plug-in share.
//
// A small correct DLPack library: every dtype of DLPack 1.3, any strides, arrays on the CPU. Each step that a mutant
// can change reads the behaviour of the acting instance (instance.h). Each function runs while an Acting exists. Arrays
// are not synchronised: one thread at a time uses an array.
#ifndef DLPACK_CTS_REFERENCE_ARRAY_H_
#define DLPACK_CTS_REFERENCE_ARRAY_H_

#include <atomic>
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

/// Keeps elements alive: memory of the reference, or an imported tensor.
class Owner {
 public:
  virtual ~Owner() = default;
  /// The imported struct, or NULL for memory of the reference.
  virtual const void* managed() const { return nullptr; }
  /// Frees the elements although arrays or exports still use them. Only mutants and variants call it.
  virtual void Kill() {}
  /// The memory is overwritten when it is freed, so that reads after that return other values.
  bool scrub = false;
  bool killed = false;
  bool closed = false;          // an array that shared the elements was closed
  std::atomic<int> exports{0};  // that are not yet deleted
};

/// Why an operation was refused. `path` is kPathNothing if it succeeded.
struct Denial {
  Path path = kPathNothing;
  const char* text = "";
  bool about_data = true;  // BufferError: the data cannot be exchanged; false: an argument is wrong

  explicit operator bool() const { return path != kPathNothing; }
};

struct Array {
  Reference& library;  // the instance that made the array
  std::shared_ptr<Owner> owner;
  uint8_t* first = nullptr;  // element 0, or the byte in which it starts; NULL only if there are no elements
  uint8_t* base = nullptr;   // start of the memory block, if it belongs to the reference
  abi::DLDataType dtype = {abi::kDLFloat, 32, 1};
  abi::DLDevice device = {abi::kDLCPU, 0};  // another device only in variants that re-export tensors unread
  int32_t ndim = 0;
  Denial denial = {};   // why an array that was imported unchecked cannot be used
  int32_t raw = 0;      // bytes of an element of unknown dtype; 0: the dtype is known
  bool opaque = false;  // the host cannot read the data; it is only re-exported
  uint64_t apart = 0;   // byte_offset of such data, which is not added to its address
  bool read_only = false;
  bool padded = false;                      // each element of fewer than 8 bits has its own byte
  uint8_t packed = 0;                       // bits from one element to the next if they share bytes, else 0
  uint8_t bit = 0;                          // the bit of *first at which a packed element 0 starts
  bool high_first = false;                  // packed from the high bits of each byte down
  bool closed = false;                      // by CloseArray()
  bool imported = false;                    // the elements belong to an imported tensor
  bool was_copy = false;                    // the import was flagged IS_COPIED
  uint8_t views = 0;                        // length of the chain of views that ends at this array
  bool was_copied = false;                  // a copy of the array was exported
  bool was_exported = false;                // the array was exported before
  uint32_t export_endings = 0;              // bits of Ending: of all its exports through the Python protocol
  std::shared_ptr<int64_t> lent_dims = {};  // set by a mutant: shape and strides of its exports
  std::vector<int64_t> first_dims = {};     // set by a mutant: shape and strides of its first export
  bool locked = false;                      // set by a mutant: the array can no longer be read
  bool unusable = false;                    // set by a mutant: computations with the array raise
  bool elsewhere = false;                   // set by a mutant: the array reports another device
  std::shared_ptr<Owner> lent = nullptr;    // set by a mutant: the memory of the latest copy that was exported
  std::vector<uint8_t> remembered = {};     // set by a mutant or variant: what every read returns
  Oddity oddity = Oddity::kNone;
  std::shared_ptr<Array> resolved = nullptr;  // set by a variant that keeps the resolved copy until the next write
  int64_t shape[kMaxDims];
  int64_t steps[kMaxDims];         // strides in bytes, or in elements if packed; 0 in dimensions of at most one element
  int64_t live_strides[kMaxDims];  // strides in elements; exports of a mutant point to them

  Array() : library(Acting::Now()) {}
  /// A second array that shares the elements.
  std::unique_ptr<Array> View() const;
  /// The elements cannot be read.
  bool IsOpaque() const;
  /// It was imported although it has elements and data is NULL.
  bool LacksData() const { return opaque && first == nullptr && device.device_type == abi::kDLCPU; }
  int64_t Count() const;
  int64_t ItemSize() const { return raw != 0 ? raw : dlpack_cts::ItemSize(dtype); }
  bool IsCompact() const;
};

// ---- Arrays that the reference makes.

struct MakeOptions {
  std::string_view dtype;
  int64_t item_size = 0;
  std::span<const int64_t> shape;
  std::span<const int64_t> strides;  // in elements
  int64_t offset = 0;                // of element 0, in elements
  std::span<const uint8_t> backing;
  bool read_only = false;
  Oddity oddity = Oddity::kNone;
};

/// NULL, with `denial` filled, if the reference does not support such an array.
std::unique_ptr<Array> MakeArray(const MakeOptions& options, Denial* denial);
/// A row-major compact copy with its own memory.
std::unique_ptr<Array> CopyArray(const Array& array);
/// Copies the elements in row-major order to `out`, which has room for Count() * ItemSize() bytes.
void ReadElements(const Array& array, uint8_t* out);
/// False if the array is read-only or has no such element. `bits` holds one element.
bool WriteElement(Array& array, int64_t index, const uint8_t* bits);
/// In place. `how`: 0 reshapes to one dimension, 1 transposes, 2 resizes to one dimension with one element more.
bool ChangeArray(Array& array, int how, Denial* denial);

/// Frees the array's elements early: it lets go of them, as its views and exports do when they end. False if it
/// refuses.
bool CloseArray(Array& array, Denial* denial);
/// Whether a variant has closed the array with another array of the same elements.
bool IsClosedWithOthers(const Array& array);
/// What a mutant does when an export of closed elements ends.
void EndExportOfClosed(Owner& owner, const Occasion& occasion);

// ---- Imports.

struct ImportOptions {
  int copy = -1;  // as __dlpack__ has it: 1 True, 0 False, -1 None
  bool has_device = false;
  abi::DLDevice device = {abi::kDLCPU, 0};
  bool may_narrow = false;  // the consumer warns that the dtype changes
  bool borrows = false;     // something else owns the tensor, and sets Array::owner
  uint32_t arrival = 0;     // bits of Arrival
  // The dtype and ndim of the array class, if the library has one class for each dtype.
  bool typed = false;
  abi::DLDataType dtype = {};
  int32_t ndim = 0;
};

/// Checks a tensor without taking ownership.
Denial CheckManaged(bool versioned, void* managed, const ImportOptions& options);
/// Makes an array of a tensor that CheckManaged() accepted. The array owns the tensor unless `options.borrows`.
std::unique_ptr<Array> TakeManaged(bool versioned, void* managed, const ImportOptions& options);
/// An array with a tensor that it cannot use. Each use is refused with `denial`.
std::unique_ptr<Array> TakeUnseen(bool versioned, void* managed, Denial denial);
/// CheckManaged() and TakeManaged() together, for callers without capsules. A refused tensor has been released.
std::unique_ptr<Array> ImportManaged(bool versioned, void* managed, const ImportOptions& options, Denial* denial);
/// Called at the start of an import. False if a mutant refuses imports while a deleter runs on this thread. A mutant
/// that locks waits here.
bool MayComeIn();
/// Calls the deleter, unless `managed` or the deleter is NULL. Of a versioned struct it reads no field after the
/// deleter.
void ReleaseManaged(bool versioned, void* managed);
/// What conditions can test of an imported tensor. Reads only the version if the major version is not supported.
Occasion OccasionOf(bool versioned, const void* managed, int copy);
/// Whether `mask` of Refusing changes what happens to this tensor on `path`.
bool Chosen(uint32_t mask, Path path, bool versioned, const void* managed);
/// Ends the process as `manner` says. Returns for kRaises.
void Act(Manner manner);
/// Whether a deleter that the reference calls runs on this thread.
bool IsDeleting();
/// Releases a tensor at the time that Owning::release names.
void ReleaseWhen(Release when, bool versioned, void* managed);

// ---- Exports.

/// What the export keeps alive in addition to the memory: the Python object.
struct Keeper {
  /// How a release gets the GIL.
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
  void (*raise)() = nullptr;  // leaves a Python exception pending; NULL without Python
};

struct ExportOptions {
  bool versioned = true;
  abi::DLPackVersion version = kReferenceVersion;
  int copy = -1;
  abi::DLDevice device = {abi::kDLCPU, 0};  // that the struct declares
  Keeper keeper = {};                       // released by the deleter, or before a refusal returns
  uint32_t asked = kAskedNothing;           // bits of Asked
};

/// Returns a DLManagedTensor or DLManagedTensorVersioned, which the caller owns. NULL with `denial` filled if it is
/// refused.
void* ExportManaged(Array& array, const ExportOptions& options, Denial* denial);
Occasion OccasionOf(const Array& array, bool versioned, int copy);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_ARRAY_H_
