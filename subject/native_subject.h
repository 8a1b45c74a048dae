// subject/native_subject.h: a native library as a subject, driven through the table of its plug-in.
//
// There are no capsules: the library always owns an offered struct, and an export is a struct that the engine owns.
// Calls that exist only in Python are unsupported.
#ifndef DLPACK_CTS_SUBJECT_NATIVE_SUBJECT_H_
#define DLPACK_CTS_SUBJECT_NATIVE_SUBJECT_H_

#include <string>
#include <string_view>

#include "subject/plugin.h"
#include "subject/subject.h"

namespace dlpack_cts {

class NativeSubject : public Subject, public Importer, public Exporter {
 public:
  /// `table` as CheckTable() (native_loader.h) returned it: complete, with NULL for functions that the plug-in does not
  /// have. `reference` is the instance behind the table of the reference, else NULL.
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
  void Close(Handle array, Refusal& refusal) override;
  void Drop(Handle array) override;
  void Collect() override;
  int64_t References(Handle) override { return 0; }

  Handle Make(const Request& request, std::span<const uint8_t> backing, Refusal& refusal) override;
  bool Watch(Handle, int number) override {
    watched_above_[number] = live_before_;
    return WatchedIsAlive(number);
  }
  bool WatchedIsAlive(int number) override {
    return table_.live != nullptr && table_.live(table_.context) > watched_above_[number];
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
    const char* lacks;  // the output that an OK must set but did not; NULL: none
  };

  /// True for success. A violation of the table's contract is a complaint, and counts as a failure.
  bool Settle(const Answer& answer, dlpack_cts_error& error, Refusal& refusal);
  void NoteCode(std::string_view function, int code);
  void Check(const dlpack_cts_description& told);
  void Note(Complaint kind, std::string_view function, const std::string& what);

  Runtime runtime_;
  dlpack_cts_plugin_table table_;
  Reference* reference_;
  Exported exports_[kSlots];
  int64_t live_before_ = 0;               // live blocks before the latest make()
  int64_t watched_above_[kWatched] = {};  // live blocks before the make() of each watched array
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_NATIVE_SUBJECT_H_
