// subject/subject.h: a library under test, through the producer and consumer interface.
//
// The engine (engine/engine.h) drives it step by step. The CPython bridge and the wrapper of native plug-ins implement
// it. Any method may crash, hang or return wrong values, so the caller runs in a process that may be lost. A process
// may have several subjects. Each has its own engine, and only one runs at a time.
#ifndef DLPACK_CTS_SUBJECT_SUBJECT_H_
#define DLPACK_CTS_SUBJECT_SUBJECT_H_

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/case/profile.h"
#include "subject/capabilities.h"
#include "subject/hooks.h"
#include "subject/runtime.h"

namespace dlpack_cts {

struct Reference;  // reference/instance.h

/// What the subject reports about itself, for the header of the results.
struct SubjectInfo {
  std::string name;
  std::string version;
  std::string interpreter;  // "CPython 3.11.7", or "native"
};

/// Errors of an adapter. Cases continue without the result; the probes stop.
enum class Complaint : uint8_t {
  kReading,   // describe() or values() raised, or returned something unusable
  kContract,  // the plug-in interface was violated: success without a result, or an undefined code
  // Another hook raised an exception that looks like a bug (AttributeError, NameError; TypeError except in export()),
  // or returned something unusable. It may do that for arrays that the library does not support, so it only counts for
  // the default array.
  kHook,
  kCount,
};

/// What a subject can do. NULL: it cannot.
struct Capabilities {
  Importer& importer;
  Exporter& exporter;
  Runtime& runtime;
  ExchangeTable* table = nullptr;
  DeviceArrays* device = nullptr;
  ReferenceCounter* references = nullptr;
};

class Subject {
 public:
  static constexpr int64_t kRaised = -2;

  explicit Subject(const Capabilities& can) : can_(can) {}
  virtual ~Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  Importer& importer() const { return can_.importer; }
  Exporter& exporter() const { return can_.exporter; }
  Runtime& runtime() const { return can_.runtime; }
  ExchangeTable* table() const { return can_.table; }
  DeviceArrays* device() const { return can_.device; }
  ReferenceCounter* references() const { return can_.references; }

  virtual SubjectInfo Info() = 0;
  virtual bool IsPython() const = 0;
  /// If the subject is the reference: its instance, whose behaviour a mutant changes. NULL for a library.
  virtual Reference* AsReference() { return nullptr; }
  /// Claims of library.toml that the installed version of the library does not support.
  virtual std::vector<std::string> Lacks() { return {}; }
  /// From now on the library is called as [profile] of library.toml, or a variant of the reference, declares.
  virtual void Follow(const Declared& declared) { (void)declared; }

  // ---- Arrays of the library.

  virtual void Describe(Handle array, Description& description) = 0;
  /// Reads all elements, in row-major order, by the library's own conversion. Returns the number of bytes, -1 if the
  /// library has no conversion, or kRaised.
  virtual int64_t Values(Handle array, std::span<uint8_t> out) = 0;
  /// The array that the hook compute or view makes from this one. NULL without such a hook, or if it raised.
  virtual Handle Derive(Hook hook, Handle array) = 0;
  /// Writes the bits to element `index` (row-major). False with `refusal` filled.
  virtual bool Write(Handle array, int64_t index, std::span<const uint8_t> bits, Refusal& refusal) = 0;
  /// `how` is an index into kChanges.
  virtual bool ChangeMetadata(Handle array, int how, Refusal& refusal) = 0;
  /// Closes the array, as the library's users free arrays early.
  virtual void Close(Handle array, Refusal& refusal) = 0;
  virtual void Drop(Handle array) = 0;
  /// Reference count of the array object, or 0 without one.
  virtual int64_t References(Handle array) = 0;

  /// Collects garbage and lets the library flush deferred releases.
  virtual void Collect() = 0;
  /// Ends the exchange. If the library has kept a producer or a capsule of it, that no longer writes to a ledger.
  virtual void EndLife() {}

  /// The first error of that kind since the last call. Empty without an error.
  std::string Take(Complaint kind) {
    const std::lock_guard lock(complaining_);
    return std::exchange(complaints_[static_cast<size_t>(kind)], {});
  }

 protected:
  /// Keeps the first text of each kind. May be called from any thread.
  void Complain(Complaint kind, const std::string& text) {
    const std::lock_guard lock(complaining_);
    std::string& kept = complaints_[static_cast<size_t>(kind)];
    if (kept.empty()) kept = text;
  }

 private:
  Capabilities can_;
  std::mutex complaining_;
  std::array<std::string, static_cast<size_t>(Complaint::kCount)> complaints_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_SUBJECT_SUBJECT_H_
