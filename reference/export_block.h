// reference/export_block.h: one export: the struct, what it keeps alive, its own shape and strides.
#ifndef DLPACK_CTS_REFERENCE_EXPORT_BLOCK_H_
#define DLPACK_CTS_REFERENCE_EXPORT_BLOCK_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <thread>

#include "reference/array.h"

namespace dlpack_cts {

/// Lies in one block of memory with the arrays that it points to; made and freed by export.cc.
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
  int64_t* shape;    // behind this struct, with room for one dimension more than the array has
  int64_t* strides;  // likewise

  explicit ExportBlock(Reference& instance) : versioned_struct{}, library(instance) {}
  ~ExportBlock() {}
  abi::DLTensor& tensor() { return versioned ? versioned_struct.dl_tensor : legacy.dl_tensor; }
  void* managed() { return versioned ? static_cast<void*>(&versioned_struct) : &legacy; }
};

/// What its deleter does: ends the export and what it keeps alive.
void FinishExport(ExportBlock* exported);
/// Drops what the export keeps alive.
void LetGo(ExportBlock& exported);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_REFERENCE_EXPORT_BLOCK_H_
