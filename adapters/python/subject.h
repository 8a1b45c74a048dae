// adapters/python/subject.h: a Python library as a subject.
#ifndef DLPACK_CTS_ADAPTERS_PYTHON_SUBJECT_H_
#define DLPACK_CTS_ADAPTERS_PYTHON_SUBJECT_H_

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "adapters/interface/subject.h"
#include "adapters/python/adapter.h"
#include "adapters/python/producer.h"

namespace dlpack_cts {

/// Python warnings issued in this process so far.
int64_t WarningsIssued();

class PythonSubject : public Subject {
 public:
  PythonSubject(BridgeConfig config, Adapter adapter) : config_(std::move(config)), adapter_(std::move(adapter)) {}

  /// Prebuilds what every exchange needs. False with an exception set.
  bool Prepare();

  SubjectInfo Info() override;
  bool IsPython() const override { return true; }
  Reference* AsReference() override { return adapter_.reference; }

  void ForgeTable(const ForgedTable& table) override { slots_->Carry(table); }
  Handle Import(const Offer& offer, const Call& call, int slot, const Offered& offered, bool bare_capsule,
                Ledger& ledger) override;
  Handle ImportAgain(const Call& call, int slot, bool bare_capsule, Ledger& ledger) override;
  void DropCapsule(int slot) override;
  void DropProducer(int slot) override;
  void InspectCapsule(int slot, Ledger& ledger) override;

  void Describe(Handle array, Description& description) override;
  int64_t Values(Handle array, std::span<uint8_t> out) override;
  int64_t Fetch(Handle array, std::span<uint8_t> out) override;
  int64_t WorkStream(Handle array) override;
  std::vector<std::string> Lacks() override;
  void Follow(const Declared& declared) override;
  std::string TakeComplaint() override { return std::exchange(complaint_, {}); }
  std::string TakeHookFailure() override { return std::exchange(hook_failure_, {}); }
  Handle Compute(Handle array) override;
  Handle View(Handle array) override;
  bool Write(Handle array, int64_t index, std::span<const uint8_t> bits, Refusal& refusal) override;
  bool ChangeMetadata(Handle array, int how, Refusal& refusal) override;
  void Drop(Handle array) override;
  void Collect() override;
  int64_t LiveObjects() override;
  int64_t References(Handle array) override;

  Handle Make(const Request& request, std::span<const uint8_t> backing, Refusal& refusal) override;
  bool Watch(Handle array, int slot) override;
  bool WatchedIsAlive(int slot) override;
  void EndLife() override;
  void WriteOffLeaks() override { Freeze(); }
  void Export(Handle array, const Call& call, int slot, Ledger& ledger) override;
  void* ExportedStruct(int slot) override;
  void TakeCapsule(int slot) override;
  void LoseCapsule(int slot) override;
  void AskDevice(Handle array, SourceLedger& source) override;

  Handle ImportForeign(Handle foreign, const Request& request, const Call& call, Refusal& refusal) override;

  void FindTable(Handle array, TableLedger& table) override;
  abi::DLManagedTensorVersioned* TableExport(Handle array, TableLedger& table, Refusal& refusal) override;
  Handle TableImport(abi::DLManagedTensorVersioned* tensor, TableLedger& table, Refusal& refusal) override;
  bool TableView(Handle array, abi::DLTensor* view, TableLedger& table, Refusal& refusal) override;
  abi::DLManagedTensorVersioned* TableAllocate(abi::DLTensor* prototype, TableLedger& table, Refusal& refusal) override;
  void TableStream(abi::DLDevice device, TableLedger& table) override;

  void Attach() override;
  void Detach() override;
  void Waiting(const std::function<void()>& work) override;
  void Hurry(bool hurries) override;
  void Aside(const std::function<void()>& work) override;
  Survival WithPendingException(const std::function<void()>& work) override;
  void WatchUnlocked(const std::function<void()>& work, Answer* frees) override;
  void PrepareToWatch(bool watches) override;
  Answer ForgetException() override;
  Answer InCopy(Context context, const std::function<void()>& work) override;  // copies.cc
  void InCollection(const std::function<void()>& work) override;
  ThreadProbe Probe() override;
  void BeforeFork() override;
  void AfterForkInParent() override;
  void AfterForkInChild() override;

 private:
  /// Passes `dtype` and `ndim` of the tensor, if the library needs them.
  PyObject* CallFromDlpack(PyObject* object, const Call& call, abi::DLDataType dtype, int ndim);
  void CollectGarbage();
  /// Takes all objects of now out of the collector's sight.
  static void Freeze();
  int DataTypeIndexOf(PyObject* name, Description& description);
  /// Keeps the first complaint about the adapter until TakeComplaint().
  void Complain(const std::string& function, const std::string& what);
  void ComplainOfException(const char* function);
  void ComplainOfPart(const char* part, PyObject* given, const char* expected);
  int64_t BytesBy(const char* function, const Ref& hook, Handle array, std::span<uint8_t> out);
  Handle CallHook(const char* function, const Ref& hook, Handle array);
  /// Keeps the first failure of a hook until TakeHookFailure().
  void NoteHookFailure(const char* function, const std::string& what);
  /// The same of the pending exception, where only a mistake raises it. It stays pending.
  void NoteMistake(const char* function, bool type_errors);

  BridgeConfig config_;
  Adapter adapter_;
  std::shared_ptr<ProducerTable> slots_ = std::make_shared<ProducerTable>();
  PyObject* exported_[kSlots] = {};  // capsules, own references
  Ref watched_[kSlots];
  const abi::DLPackExchangeAPI* table_ = nullptr;
  abi::DLPackExchangeAPI table_copy_{};  // as the first lookup of a life read it
  Ref table_type_;                       // on which it was found
  Ref request_type_;
  Ref collect_;
  Ref count_blocks_;
  Ref switch_interval_;                             // the usual one, while threads hurry
  std::unordered_map<PyObject*, int> dtype_names_;  // keys are kept alive: adapters use a few constants
  bool endless_ = false;                            // the interpreter of a copy of this process was seen not to end
  bool watches_ = false;
  int64_t lives_ = 0;
  bool frozen_ = false;
  bool typed_imports_ = false;
  bool no_weak_references_ = false;
  std::string complaint_;
  std::string hook_failure_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_PYTHON_SUBJECT_H_
