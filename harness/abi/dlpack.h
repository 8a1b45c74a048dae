// harness/abi/dlpack.h: every published DLPack struct, enumerator and name, declared by this project.
//
// The declarations follow the published ABI on LP64: legacy (0.2 to 0.8), versioned (1.0 to 1.3) and the enumerators
// that the development branch added after 1.3. They are written here and not copied from a dlpack.h, so that a wrong
// header cannot hide a wrong library. tests/abi/ compares them with the headers of installed packages.
#ifndef DLPACK_CTS_HARNESS_ABI_DLPACK_H_
#define DLPACK_CTS_HARNESS_ABI_DLPACK_H_

#include <cstddef>
#include <cstdint>

namespace dlpack_cts::abi {

/// The version of a struct or of an exchange table. Equal major versions are compatible.
struct DLPackVersion {
  uint32_t major;
  uint32_t minor;

  friend bool operator==(const DLPackVersion&, const DLPackVersion&) = default;
};

/// Device numbers, with the version that introduced each one.
enum DLDeviceType : int32_t {
  kDLCPU = 1,           // 0.1
  kDLCUDA = 2,          // 0.1
  kDLCUDAHost = 3,      // 0.1
  kDLOpenCL = 4,        // 0.1
  kDLVulkan = 7,        // 0.3
  kDLMetal = 8,         // 0.2
  kDLVPI = 9,           // 0.2
  kDLROCM = 10,         // 0.2
  kDLROCMHost = 11,     // 0.6
  kDLExtDev = 12,       // 0.3
  kDLCUDAManaged = 13,  // 0.6
  kDLOneAPI = 14,       // 0.7
  kDLWebGPU = 15,       // 0.7
  kDLHexagon = 16,      // 0.7
  kDLMAIA = 17,         // 1.0
  kDLTrn = 18,          // 1.2
  kDLTPU = 19,          // after 1.3
  kDLTPUHost = 20,      // after 1.3
  kDLAscend = 21,       // after 1.3
};

/// Element type codes, with the version that introduced each one.
enum DLDataTypeCode : uint8_t {
  kDLInt = 0,           // 0.1
  kDLUInt = 1,          // 0.1
  kDLFloat = 2,         // 0.1
  kDLOpaqueHandle = 3,  // 0.4
  kDLBfloat = 4,        // 0.3
  kDLComplex = 5,       // 0.4
  kDLBool = 6,          // 0.8
  kDLFloat8_e3m4 = 7,   // 1.1, as all codes from 7 to 17
  kDLFloat8_e4m3 = 8,
  kDLFloat8_e4m3b11fnuz = 9,
  kDLFloat8_e4m3fn = 10,
  kDLFloat8_e4m3fnuz = 11,
  kDLFloat8_e5m2 = 12,
  kDLFloat8_e5m2fnuz = 13,
  kDLFloat8_e8m0fnu = 14,
  kDLFloat6_e2m3fn = 15,
  kDLFloat6_e3m2fn = 16,
  kDLFloat4_e2m1fn = 17,
  kDLBcomplex = 18,  // after 1.3
};

struct DLDevice {
  int32_t device_type;
  int32_t device_id;

  friend bool operator==(const DLDevice&, const DLDevice&) = default;
};

struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;

  friend bool operator==(const DLDataType&, const DLDataType&) = default;
};

/// A tensor description that owns nothing.
struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;      // in elements; NULL means row-major compact, in versions that allow NULL
  uint64_t byte_offset;  // in bytes, from data to element 0
};

/// The legacy managed tensor, in capsules named "dltensor".
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);  // may be NULL
};

/// The managed tensor since 1.0, in capsules named "dltensor_versioned". The fields in bytes 0 to 31 keep their place
/// in every future major version; the fields after them may move.
struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);  // may be NULL
  uint64_t flags;
  DLTensor dl_tensor;
};

inline constexpr uint64_t kFlagReadOnly = uint64_t{1} << 0;
inline constexpr uint64_t kFlagIsCopied = uint64_t{1} << 1;
inline constexpr uint64_t kFlagSubbytePadded = uint64_t{1} << 2;  // since 1.1
/// The flag bits that a published version defines.
inline constexpr uint64_t kPublishedFlags = kFlagReadOnly | kFlagIsCopied | kFlagSubbytePadded;

struct DLPackExchangeAPIHeader {
  DLPackVersion version;
  DLPackExchangeAPIHeader* prev_api;
};

/// The C exchange API, since 1.2. Functions return 0, or -1 with a Python exception set.
struct DLPackExchangeAPI {
  DLPackExchangeAPIHeader header;
  int (*managed_tensor_allocator)(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                                  void (*set_error)(void* error_ctx, const char* kind, const char* message));
  int (*managed_tensor_from_py_object_no_sync)(void* py_object, DLManagedTensorVersioned** out);
  int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned* tensor, void** out_py_object);
  int (*dltensor_from_py_object_no_sync)(void* py_object, DLTensor* out);  // the only function that may be NULL
  int (*current_work_stream)(int32_t device_type, int32_t device_id, void** out_stream);
};

/// The names of capsules, and the attributes of the Python protocol.
inline constexpr char kLegacyName[] = "dltensor";
inline constexpr char kUsedLegacyName[] = "used_dltensor";
inline constexpr char kVersionedName[] = "dltensor_versioned";
inline constexpr char kUsedVersionedName[] = "used_dltensor_versioned";
inline constexpr char kExchangeName[] = "dlpack_exchange_api";
inline constexpr char kExchangeAttribute[] = "__dlpack_c_exchange_api__";    // since 1.3, a capsule
inline constexpr char kExchangeAttribute12[] = "__c_dlpack_exchange_api__";  // 1.2, an int

static_assert(sizeof(void*) == 8, "the ABI is declared for LP64");
static_assert(sizeof(DLPackVersion) == 8 && sizeof(DLDevice) == 8 && sizeof(DLDataType) == 4);
static_assert(sizeof(DLTensor) == 48 && offsetof(DLTensor, device) == 8 && offsetof(DLTensor, ndim) == 16 &&
              offsetof(DLTensor, dtype) == 20 && offsetof(DLTensor, shape) == 24 && offsetof(DLTensor, strides) == 32 &&
              offsetof(DLTensor, byte_offset) == 40);
static_assert(sizeof(DLManagedTensor) == 64 && offsetof(DLManagedTensor, manager_ctx) == 48 &&
              offsetof(DLManagedTensor, deleter) == 56);
static_assert(sizeof(DLManagedTensorVersioned) == 80 && offsetof(DLManagedTensorVersioned, manager_ctx) == 8 &&
              offsetof(DLManagedTensorVersioned, deleter) == 16 && offsetof(DLManagedTensorVersioned, flags) == 24 &&
              offsetof(DLManagedTensorVersioned, dl_tensor) == 32);
static_assert(sizeof(DLPackExchangeAPIHeader) == 16 && sizeof(DLPackExchangeAPI) == 56);

/// The bytes of a versioned struct that every major version keeps: version, manager_ctx, deleter, flags.
inline constexpr size_t kStablePrefix = 32;

}  // namespace dlpack_cts::abi

#endif  // DLPACK_CTS_HARNESS_ABI_DLPACK_H_
