// reference/export_block.h: one export: the struct, what it keeps alive, its shape and strides.
#ifndef DLPACK_CTS_REFERENCE_EXPORT_BLOCK_H_
#define DLPACK_CTS_REFERENCE_EXPORT_BLOCK_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <thread>

#include "reference/array.h"

namespace dlpack_cts {

/// One allocation, which includes the shape and strides. export.cc makes and frees it.
struct ExportBlock {
  union {
    abi::DLManagedTensor legacy;
    abi::DLManagedTensorVersioned versioned_struct;
  };
  Reference& library;
  bool versioned;
  std::shared_ptr<Owner> owner;
  Keeper keeper;
  Occasion occasion;
  std::thread::id maker;
  pid_t process;
  int64_t* shape;    // follows this struct, with room for one dimension more than the array has
  int64_t* strides;  // follows shape, with the same room

  explicit ExportBlock(Reference& instance) : versioned_struct{}, library(instance) {}
  ~ExportBlock() {}
  abi::DLTensor& tensor() { return versioned ? versioned_struct.dl_tensor : legacy.dl_tensor; }
  void* managed() { return versioned ? static_cast<void*>(&versioned_struct) : &legacy; }
};

/// Runs in the deleter: releases what the export keeps alive, and frees the block.
void FinishExport(ExportBlock* exported);
/// Releases what the export keeps alive.
void LetGo(ExportBlock& exported);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_EXPORT_BLOCK_H_
