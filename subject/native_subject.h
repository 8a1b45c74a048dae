// subject/native_subject.h: a native library as a subject, driven through the table of its plug-in.
//
// There are no capsules here: the library owns an offered struct in any case, and an export is a bare struct that the
// engine owns. Requests that only exist in Python are unsupported.
#ifndef DLPACK_CTS_SUBJECT_NATIVE_SUBJECT_H_
#define DLPACK_CTS_SUBJECT_NATIVE_SUBJECT_H_

#include <string>
#include <string_view>

#include "subject/plugin.h"
#include "subject/subject.h"

namespace dlpack_cts {

class NativeSubject : public Subject, public Importer, public Exporter {
 public:
  /// `table` as CheckTable() (native_loader.h) gave it: complete, with NULL for what the plug-in has not. `reference`
  /// is the instance behind a table of the reference.
  explicit NativeSubject(const dlpack_cts_plugin_table& table, Reference* reference = nullptr)
      : Subject({.importer = *this, .exporter = *this, .runtime = runtime_}), table_(table), reference_(reference) {}

  SubjectInfo Info() override;
  bool IsPython() const override { return false; }
  Reference* AsReference() override { return reference_; }

  Handle Import(const Offer& offer, const Call& call, int slot, const Offered& offered, bool bare_capsule,
                Ledger& ledger) override;
  Handle ImportAgain(const Call& call, int slot, bool bare_capsule, Ledger& ledger) override;

  void Describe(Handle array, Description& description) override;
  int64_t Values(Handle array, std::span<uint8_t> out) override;
  Handle Derive(Hook hook, Handle array) override;
  bool Write(Handle array, int64_t index, std::span<const uint8_t> bits, Refusal& refusal) override;
  bool ChangeMetadata(Handle array, int how, Refusal& refusal) override;
  void Drop(Handle array) override;
  void Collect() override;
  int64_t References(Handle) override { return 0; }

  Handle Make(const Request& request, std::span<const uint8_t> backing, Refusal& refusal) override;
  bool Watch(Handle, int slot) override {
    watched_above_[slot] = live_before_;
    return WatchedIsAlive(slot);
  }
  bool WatchedIsAlive(int slot) override {
    return table_.live != nullptr && table_.live(table_.context) > watched_above_[slot];
  }
  void Export(Handle array, const Call& call, int slot, Ledger& ledger) override;
  void* ExportedStruct(int slot) override { return exports_[slot].managed; }
  void TakeCapsule(int slot) override { exports_[slot].taken = true; }
  void LoseCapsule(int slot) override;
  void AskDevice(Handle array, SourceLedger& source) override;

 private:
  struct Exported {
    void* managed = nullptr;
    bool versioned = false;
    bool taken = false;  // the engine calls the deleter
  };

  struct Answer {
    std::string_view function;
    int code;
    const char* lacks;  // what an OK should have set and did not; NULL: nothing
  };

  /// True for success. What the table's contract excludes is a breach, and counts as a failure.
  bool Settle(const Answer& answer, dlpack_cts_error& error, Refusal& refusal);
  void NoteCode(std::string_view function, int code);
  void Check(const dlpack_cts_description& told);
  void Note(Complaint kind, std::string_view function, const std::string& what);

  Runtime runtime_;
  dlpack_cts_plugin_table table_;
  Reference* reference_;
  Exported exports_[kSlots];
  int64_t live_before_ = 0;             // blocks that were alive before the latest make()
  int64_t watched_above_[kSlots] = {};  // and before that of the watched array
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_NATIVE_SUBJECT_H_
