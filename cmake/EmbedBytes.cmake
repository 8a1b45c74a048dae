# cmake/EmbedBytes.cmake: writes the bytes of IMAGE (may be empty) to the C++ file OUT, as kCudaKernels.
set(bytes "0")
if(IMAGE)
  file(READ ${IMAGE} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
endif()
file(WRITE ${OUT} "#include \"engine/cuda_kernels.h\"\nnamespace dlpack_cts {\n// The driver reads it in words.\n"
  "alignas(16) const unsigned char kCudaKernels[] = {${bytes}};\n"
  "const size_t kCudaKernelsSize = sizeof(kCudaKernels);\n}\n")
