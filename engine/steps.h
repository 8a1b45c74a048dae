// engine/steps.h: the parts of the engine that run the steps of a life, one class for each capability.
#ifndef DLPACK_CTS_ENGINE_STEPS_H_
#define DLPACK_CTS_ENGINE_STEPS_H_

#include <cstdint>
#include <memory>
#include <span>

#include "engine/acting_deleters.h"
#include "engine/cuda_steps.h"
#include "engine/elements.h"
#include "engine/lanes.h"
#include "engine/life_state.h"
#include "engine/releases.h"

namespace dlpack_cts {

/// The location of `address` relative to the array that the library describes.
Location LocateIn(const Description& array, uint64_t address);

/// Makes arrays and exports them: export_steps.cc.
class ExportSteps {
 public:
  ExportSteps(LifeState& life, Elements& elements, CudaSteps& cuda, Lanes& lanes)
      : life_(life), elements_(elements), cuda_(cuda), lanes_(lanes) {}

  // Arrays that the library makes.
  void Make(const Step& step);
  void AskDevice(const Step& step);
  void ChangeMetadata(const Step& step);
  void ReadSource(const Step& step);
  void UseSource(const Step& step);
  void DescribeSource(const Step& step);
  /// The library writes an element of its own array.
  void WriteMade(const Step& step);
  void CloseSource(const Step& step);
  void DropSource(const Step& step);

  // Exports.
  void Export(const Step& step);
  void Inspect(int slot);
  void ReadExport(int slot);
  /// The same for the step. If it names a stream, a kernel reads the elements too.
  void ReadExportOn(const Step& step);
  void WriteExport(const Step& step);
  void TakeCapsule(int slot);
  void Delete(const Step& step);
  void LoseCapsule(const Step& step);

  /// Forgets the last export of the slot. False while a part of it is left.
  bool Begin(int slot);
  /// Records where the elements of a new export are, and compares them.
  void Locate(int slot);
  void ReadFirst(int slot);
  bool WasMadeSo(int slot);
  /// Calls the deleter of the slot's export if the engine owns it, and drops its capsule.
  void End(int slot);

 private:
  void NoteSharedStruct(int slot);
  void DeleteInCopy(const Step& step, void* managed, bool versioned);

  LifeState& life_;
  Elements& elements_;
  CudaSteps& cuda_;
  Lanes& lanes_;
};

/// Imports offers, or arrays of another library: import_steps.cc.
class ImportSteps {
 public:
  ImportSteps(LifeState& life, Elements& elements, CudaSteps& cuda, Lanes& lanes, ExportSteps& exports,
              ActingDeleters& deleters)
      : life_(life), elements_(elements), cuda_(cuda), lanes_(lanes), exports_(exports), deleters_(deleters) {}

  void Import(const Step& step);
  /// Describes an offer, without an import.
  void Peek(const Step& step);
  void ImportAgain(const Step& step);
  void ImportSource(const Step& step);
  void Describe(int slot);
  /// Calls __dlpack_device__ of the imported array.
  void AskDevice(int slot);
  void Read(const Step& step);
  void Compute(int slot);
  void WriteSource(const Step& step);
  void WriteArray(const Step& step);
  void TakeView(int slot);
  void Reexport(const Step& step);
  void CloseArray(const Step& step);
  void DropArray(const Step& step);
  void DropCapsule(const Step& step);
  void DropProducer(const Step& step);

 private:
  bool StandsIn(int slot) const;
  /// Describes the array if that was not done before. False without an array.
  bool Known(int slot);
  /// Reads the elements through the described pointer and strides, without calling the library again.
  void ReadMemory(int slot);
  /// One library of a pair writes an element, and the other one is asked for it.
  void WriteShared(int slot, int64_t index, bool by_consumer);

  LifeState& life_;
  Elements& elements_;
  CudaSteps& cuda_;
  Lanes& lanes_;
  ExportSteps& exports_;
  ActingDeleters& deleters_;
};

/// Uses the C exchange API of the type of made arrays: table_steps.cc.
class TableSteps {
 public:
  TableSteps(LifeState& life, Elements& elements, Lanes& lanes, ExportSteps& exports)
      : life_(life), elements_(elements), lanes_(lanes), exports_(exports) {}

  void Find(const Step& step);
  void Export(const Step& step);
  void Import(const Step& step);
  void View(const Step& step);
  void Allocate(const Step& step);
  void Stream(const Step& step);

 private:
  /// Calls the function with another object than the array.
  void Misuse(const Step& step, TableFunction function);
  static bool IsMisuse(const Step& step);
  /// Looks up the table, unless that was done before.
  bool HasTable(int source);
  /// The engine owns a struct that it got without a capsule.
  void Own(int slot, int source, abi::DLManagedTensorVersioned* tensor);
  bool HasRoom(const Step& step, int from, const ExportLedger& record);
  void AskOfStream(int from, abi::DLDevice device);

  LifeState& life_;
  Elements& elements_;
  Lanes& lanes_;
  ExportSteps& exports_;
};

/// Exports many times, and measures the memory that is not freed: leak_steps.cc.
class LeakSteps {
 public:
  LeakSteps(LifeState& life, Elements& elements, ExportSteps& exports)
      : life_(life), elements_(elements), exports_(exports) {}

  void ExportOften(const Step& step);

 private:
  /// Makes one more array of the request and drops it, with or without an export that outlives it. False if the library
  /// fails.
  bool ExportOnce(const Step& step, std::span<const uint8_t> backing, bool exports);
  /// The same with a function of the table. The record of the call is discarded.
  bool UseTableOnce(const Step& step, Handle array);
  /// Records the memory of each kind that stays after many rounds.
  void Measure(const Step& step, std::span<const uint8_t> backing, SourceLedger& record);

  LifeState& life_;
  Elements& elements_;
  ExportSteps& exports_;
};

/// Repeats an exchange, and counts the references that it leaves: reference_steps.cc.
class ReferenceSteps {
 public:
  ReferenceSteps(LifeState& life, ExportSteps& exports) : life_(life), exports_(exports) {}

  void CountImports(const Step& step);
  void CountExports(const Step& step);

 private:
  /// Imports another tensor like that of `slot` into `spare`, and drops the result. False if it is not released.
  bool ImportOnce(const Step& step, int spare);
  void ExportOnce(const Step& step);

  LifeState& life_;
  ExportSteps& exports_;
  std::unique_ptr<Ledger> aside_;  // of the repeated imports; a library may keep their producers
};

/// Several threads export or import at the same time, in many rounds, or one thread has hundreds of exports or imports
/// at once: race_steps.cc.
class RaceSteps {
 public:
  RaceSteps(LifeState& life, Elements& elements, Releases& releases, ExportSteps& exports)
      : life_(life), elements_(elements), releases_(releases), exports_(exports) {}

  void ExportTogether(const Step& step);
  void ImportTogether(const Step& step);

 private:
  /// Whether the slots of all racers are free.
  bool MayRace() const;

  LifeState& life_;
  Elements& elements_;
  Releases& releases_;
  ExportSteps& exports_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_STEPS_H_
