// bridge/subject.h: a Python library as a subject.
#ifndef DLPACK_CTS_BRIDGE_SUBJECT_H_
#define DLPACK_CTS_BRIDGE_SUBJECT_H_

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bridge/adapter.h"
#include "bridge/exchange_table.h"
#include "bridge/producer.h"
#include "bridge/reference_counts.h"
#include "bridge/runtime.h"
#include "subject/subject.h"

namespace dlpack_cts {

/// Python warnings that were issued in this process so far.
int64_t WarningsIssued();

inline PyObject* Object(Handle array) { return static_cast<PyObject*>(array); }

class PythonSubject : public Subject, public Importer, public Exporter, public DeviceArrays, public ReferenceCounter {
 public:
  PythonSubject(const BridgeConfig& config, Adapter adapter)
      : Subject({.importer = *this,
                 .exporter = *this,
                 .runtime = runtime_,
                 .table = &table_,
                 .device = this,
                 .references = this}),
        library_(config.library),
        adapter_(std::move(adapter)),
        runtime_(config.fork) {}

  /// Makes the objects that every exchange needs. False with an exception set.
  bool Prepare();

  SubjectInfo Info() override;
  bool IsPython() const override { return true; }
  Reference* AsReference() override { return adapter_.reference; }
  std::vector<std::string> Lacks() override;
  void Follow(const Declared& declared) override;
  void Describe(Handle array, Description& description) override;
  int64_t Values(Handle array, std::span<uint8_t> out) override;
  Handle Derive(Hook hook, Handle array) override;
  bool Write(Handle array, int64_t index, std::span<const uint8_t> bits, Refusal& refusal) override;
  bool ChangeMetadata(Handle array, int how, Refusal& refusal) override;
  void Close(Handle array, Refusal& refusal) override;
  void Drop(Handle array) override;
  int64_t References(Handle array) override;
  void Collect() override;
  void EndLife() override;

  void ForgeTable(const ForgedTable& table) override { slots_->Carry(table); }
  Handle Import(const Offer& offer, const Call& call, int slot, const Offered& offered, bool bare_capsule,
                Ledger& ledger) override;
  Handle ImportByTable(const Offer& offer, int slot, const Offered& offered, Ledger& ledger) override;
  void Peek(const Offer& offer, int slot, const Offered& offered, Ledger& ledger) override;
  Handle ImportAgain(const Call& call, int slot, bool bare_capsule, Ledger& ledger) override;
  Handle ImportForeign(Handle foreign, const Request& request, const Call& call, Refusal& refusal) override;
  void DropCapsule(int slot) override;
  void DropProducer(int slot) override;
  void InspectCapsule(int slot, Ledger& ledger) override;

  Handle Make(const Request& request, std::span<const uint8_t> backing, Refusal& refusal) override;
  bool Watch(Handle array, int number) override;
  bool WatchedIsAlive(int number) override;
  void Export(Handle array, const Call& call, int slot, Ledger& ledger) override;
  void* ExportedStruct(int slot) override;
  void TakeCapsule(int slot) override;
  void LoseCapsule(int slot) override;
  void AskDevice(Handle array, SourceLedger& source) override;

  void BeginCounting(Handle array) override { counts_.Begin(Object(array)); }
  ReferenceGrowth EndCounting() override { return counts_.End(); }

  int64_t Fetch(Handle array, std::span<uint8_t> out) override;
  int64_t WorkStream(Handle array) override;

 private:
  /// Calls from_dlpack, with the dtype and ndim of the tensor if the library needs them.
  PyObject* CallFromDlpack(PyObject* object, const Call& call, abi::DLDataType dtype, int ndim);
  /// Calls describe().
  void AskDescription(Handle array, Description& description);
  /// Calls array_struct(), and describe() too at first: they have to agree. False if describe() has to be asked.
  bool DescribeByStruct(Handle array, Description& description);
  /// Reads what describe() or peek() returned.
  void ReadDescription(PyObject* tuple, Hook hook, Description& description);
  /// Calls a hook with a new producer of the offer. NULL with an exception set, or if the adapter has no such hook.
  PyObject* CallByTable(Hook hook, const Offer& offer, int slot, const Offered& offered, Ledger& ledger);
  /// Records the exception of an import, or its success. `thing` is what the library got.
  PyObject* SettleImport(PyObject* array, PyObject* thing, int slot, const Ledger& ledger, Refusal& outcome);
  int DataTypeIndexOf(PyObject* name, Description& description);
  int64_t BytesBy(Hook hook, Handle array, std::span<uint8_t> out);
  void Note(Complaint kind, Hook hook, const std::string& what);
  /// Records the pending exception of a hook as a complaint, and clears it.
  void NoteException(Hook hook);
  /// The same if only a bug can raise it. It stays pending.
  void NoteMistake(Hook hook, bool type_errors);
  /// Records a complaint about a part of the result of describe().
  void NotePart(Hook hook, const char* part, PyObject* given, const char* expected);

  std::string library_;
  Adapter adapter_;
  PythonRuntime runtime_;
  PythonTable table_;
  std::shared_ptr<ProducerTable> slots_ = std::make_shared<ProducerTable>();
  PyObject* exported_[kSlots] = {};  // capsules, as own references
  ReferenceCounts counts_;
  Ref watched_[kWatched];
  Ref request_type_;
  std::unordered_map<PyObject*, int> dtype_names_;  // the keys are kept alive; adapters use a few constants
  int64_t lives_ = 0;
  int compared_structs_ = 0;
  bool typed_imports_ = false;
  bool no_weak_references_ = false;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BRIDGE_SUBJECT_H_
