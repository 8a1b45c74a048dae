// tests/abi/header_agrees.cc: our declarations agree with a real dlpack.h; compiling this file is the test.
//
// Compiled once for each header that an installed package carries, with -DDLPACK_HEADER='"path"'. What the header's
// version does not have yet is left out by its own version macros.
#include DLPACK_HEADER

#include <cstddef>

#include "harness/abi/dlpack.h"

namespace {

namespace ours = dlpack_cts::abi;

#define SAME_FIELD(type, field)                                                                                     \
  static_assert(                                                                                                    \
      offsetof(::type, field) == offsetof(ours::type, field) && sizeof(::type::field) == sizeof(ours::type::field), \
      #type "." #field)
#define SAME_SIZE(type) \
  static_assert(sizeof(::type) == sizeof(ours::type) && alignof(::type) == alignof(ours::type), #type)
#define SAME_NUMBER(name) static_assert(static_cast<int>(::name) == static_cast<int>(ours::name), #name)

SAME_SIZE(DLDevice);
SAME_FIELD(DLDevice, device_type);
SAME_FIELD(DLDevice, device_id);
SAME_SIZE(DLDataType);
SAME_FIELD(DLDataType, code);
SAME_FIELD(DLDataType, bits);
SAME_FIELD(DLDataType, lanes);
SAME_SIZE(DLTensor);
SAME_FIELD(DLTensor, data);
SAME_FIELD(DLTensor, device);
SAME_FIELD(DLTensor, ndim);
SAME_FIELD(DLTensor, dtype);
SAME_FIELD(DLTensor, shape);
SAME_FIELD(DLTensor, strides);
SAME_FIELD(DLTensor, byte_offset);
SAME_SIZE(DLManagedTensor);
SAME_FIELD(DLManagedTensor, dl_tensor);
SAME_FIELD(DLManagedTensor, manager_ctx);
SAME_FIELD(DLManagedTensor, deleter);

SAME_NUMBER(kDLCPU);
SAME_NUMBER(kDLCUDA);
SAME_NUMBER(kDLCUDAHost);
SAME_NUMBER(kDLOpenCL);
SAME_NUMBER(kDLVulkan);
SAME_NUMBER(kDLMetal);
SAME_NUMBER(kDLVPI);
SAME_NUMBER(kDLROCM);
SAME_NUMBER(kDLROCMHost);
SAME_NUMBER(kDLExtDev);
SAME_NUMBER(kDLCUDAManaged);
SAME_NUMBER(kDLOneAPI);
SAME_NUMBER(kDLWebGPU);
SAME_NUMBER(kDLHexagon);
SAME_NUMBER(kDLInt);
SAME_NUMBER(kDLUInt);
SAME_NUMBER(kDLFloat);
SAME_NUMBER(kDLOpaqueHandle);
SAME_NUMBER(kDLBfloat);
SAME_NUMBER(kDLComplex);
SAME_NUMBER(kDLBool);

#if defined(DLPACK_MAJOR_VERSION) && DLPACK_MAJOR_VERSION >= 1
SAME_SIZE(DLPackVersion);
SAME_FIELD(DLPackVersion, major);
SAME_FIELD(DLPackVersion, minor);
SAME_SIZE(DLManagedTensorVersioned);
SAME_FIELD(DLManagedTensorVersioned, version);
SAME_FIELD(DLManagedTensorVersioned, manager_ctx);
SAME_FIELD(DLManagedTensorVersioned, deleter);
SAME_FIELD(DLManagedTensorVersioned, flags);
SAME_FIELD(DLManagedTensorVersioned, dl_tensor);
static_assert(DLPACK_FLAG_BITMASK_READ_ONLY == ours::kFlagReadOnly);
static_assert(DLPACK_FLAG_BITMASK_IS_COPIED == ours::kFlagIsCopied);
SAME_NUMBER(kDLMAIA);

#if DLPACK_MINOR_VERSION >= 1
static_assert(DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED == ours::kFlagSubbytePadded);
SAME_NUMBER(kDLFloat8_e3m4);
SAME_NUMBER(kDLFloat8_e4m3);
SAME_NUMBER(kDLFloat8_e4m3b11fnuz);
SAME_NUMBER(kDLFloat8_e4m3fn);
SAME_NUMBER(kDLFloat8_e4m3fnuz);
SAME_NUMBER(kDLFloat8_e5m2);
SAME_NUMBER(kDLFloat8_e5m2fnuz);
SAME_NUMBER(kDLFloat8_e8m0fnu);
SAME_NUMBER(kDLFloat6_e2m3fn);
SAME_NUMBER(kDLFloat6_e3m2fn);
SAME_NUMBER(kDLFloat4_e2m1fn);
#endif

#if DLPACK_MINOR_VERSION >= 2
SAME_NUMBER(kDLTrn);
SAME_SIZE(DLPackExchangeAPIHeader);
SAME_FIELD(DLPackExchangeAPIHeader, version);
SAME_FIELD(DLPackExchangeAPIHeader, prev_api);
SAME_SIZE(DLPackExchangeAPI);
SAME_FIELD(DLPackExchangeAPI, header);
SAME_FIELD(DLPackExchangeAPI, managed_tensor_allocator);
SAME_FIELD(DLPackExchangeAPI, managed_tensor_from_py_object_no_sync);
SAME_FIELD(DLPackExchangeAPI, managed_tensor_to_py_object_no_sync);
SAME_FIELD(DLPackExchangeAPI, dltensor_from_py_object_no_sync);
SAME_FIELD(DLPackExchangeAPI, current_work_stream);
#endif
#endif

}  // namespace
