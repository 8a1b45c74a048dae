// worker/process/crash_record.h: the crash record, shared memory that survives a crash of the child that runs the
// cases.
//
// The library under test can write to it, so the fork server keeps its own state in its own memory, and uses only what
// agrees with that. The head has a fixed plain layout (docs/processes.md), so that the driver can read it without
// knowing recipes. Only the fork server and its children use the rest.
#ifndef DLPACK_CTS_WORKER_PROCESS_CRASH_RECORD_H_
#define DLPACK_CTS_WORKER_PROCESS_CRASH_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/case/profile.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts::worker {

struct CrashRecordHead {
  char magic[4];         // "DLBD"
  uint32_t version;      // of this layout: kVersion in crash_record.cc
  int32_t case_index;    // index of the job's cases; -1 before the first
  int32_t mutant_index;  // index of the job's mutants; -1 without one
  double started;        // when the case started, in seconds of CLOCK_MONOTONIC
  int32_t child;         // pid
  int32_t hostile;       // 1: the case uses invalid input and has a lower time limit
  int64_t tick;          // changes when an example starts: the time limit starts again
  char doing[24];        // what the worker does: "importing", "probing", "running"
  char case_id[200];
};
static_assert(offsetof(CrashRecordHead, tick) == 32 && offsetof(CrashRecordHead, case_id) == 64 &&
              sizeof(CrashRecordHead) == 264);

/// Results of the examples of a case that have ended.
struct Counts {
  int32_t held;
  int32_t refused;
  int32_t nothing;
};

struct CrashRecord {
  CrashRecordHead head;
  uint64_t mark_behind_head;
  int32_t example;      // index of the running example; -1 without one
  Counts counts;        // of the running case
  int32_t mute;         // the child could not write its observation
  int32_t scribbled;    // the library overwrote this memory; the head was restored, the ledger is lost
  int32_t probe;        // index of the running probe, before the first case
  int32_t probed;       // all probes have run: the profile is complete
  double asleep;        // seconds that exchanges slept, all together
  double longest[2];    // seconds of the longest exchange that ended; the second one: of those that take long
  char complaint[512];  // of a probe: the error of the adapter, or empty
  char thrown[256];     // the C++ exception that ended the process, or empty
  char shortage[256];   // what the system did not give to dlpack-cts, and a line with a hint; or empty
  Profile profile;      // what the probes have found so far
  uint64_t mark_behind_profile;
  Recipe recipe;  // the running one
  uint64_t mark_behind_recipe;
  Ledger ledger;  // of that recipe
  uint64_t mark_behind_ledger;
  Ledger reference;  // of the reference run of that recipe, if there was one
  uint64_t mark_behind_reference;
};

/// Maps the file (created and sized here), or anonymous shared memory for an empty path, between inaccessible pages. It
/// is never unmapped. Throws Failure.
CrashRecord& MapCrashRecord(const std::string& path);

/// Whether no mark was overwritten, and magic and version are right.
bool IsIntact(const CrashRecord& crash_record);
/// Resets it to an empty crash record.
void Clear(CrashRecord& crash_record);

/// The crash record that a crashed worker left in that file. NULL if the file does not contain one.
std::unique_ptr<CrashRecord> ReadCrashRecord(const std::string& path);

/// Copies what the probes of a crashed worker had found out about the subject.
void ResumeFrom(const CrashRecord& left, CrashRecord& crash_record);

/// Sets CrashRecordHead::doing.
void SetDoing(CrashRecord& crash_record, const char* what);

}  // namespace dlpack_cts::worker

#endif  // DLPACK_CTS_WORKER_PROCESS_CRASH_RECORD_H_
