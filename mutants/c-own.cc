// mutants/c-own.cc: mutants of the chapter on ownership.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kNeverReleases{{
    .name = "never-releases",
    .rules = {"C-OWN-01", "PY-CAPSULE-09"},
    .what = "never calls the deleter of imported tensors",
    .apply = [](Behaviour& behaviour) { behaviour.owning.leaks = When::Always(); },
}};

const RegisterMutant kNeverReleasesEmpty{{
    .name = "never-releases-empty",
    .rules = {"C-OWN-01"},
    .what = "never calls the deleter of zero-size tensors",
    .apply = [](Behaviour& behaviour) { behaviour.owning.leaks = When::Empty(); },
}};

const RegisterMutant kNeverReleasesReadOnlyScalars{{
    .name = "never-releases-read-only-scalars",
    .rules = {"C-OWN-01"},
    .what = "never calls the deleter of 0-dimensional read-only tensors",
    .apply = [](Behaviour& behaviour) { behaviour.owning.leaks = When::ReadOnly().And(When::Scalar()); },
}};

const RegisterMutant kNeverReleasesWhatItCopied{{
    .name = "never-releases-what-it-copied",
    .rules = {"C-OWN-01"},
    .what = "never calls the deleter of tensors that it copied",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.copies = When::Always();
          behaviour.owning.never_after_copy = When::Always();
        },
}};

const RegisterMutant kReleasesTwice{{
    .name = "releases-twice",
    .rules = {"C-OWN-02"},
    .what = "calls the deleter twice",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_twice = When::Always(); },
}};

const RegisterMutant kReleasesBroadcastTwice{{
    .name = "releases-broadcast-twice",
    .rules = {"C-OWN-02"},
    .what = "calls the deleter of broadcast tensors twice",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_twice = When::Broadcast(); },
}};

const RegisterMutant kReleasesEarly{{
    .name = "releases-early",
    .rules = {"C-OWN-03", "PY-CAPSULE-09"},
    .what = "calls the deleter at import although the array shares the memory",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_early = When::Always(); },
}};

const RegisterMutant kViewsKeepNothing{{
    .name = "views-keep-nothing",
    .rules = {"C-OWN-03"},
    .what = "calls the deleter when the first array is destroyed although views of it still exist",
    .apply = [](Behaviour& behaviour) { behaviour.owning.view_keeps_nothing = When::Always(); },
}};

const RegisterMutant kReleasesACopyOfTheStruct{{
    .name = "releases-a-copy-of-the-struct",
    .rules = {"C-OWN-04"},
    .what = "passes a copy of the struct to the deleter",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_copy = When::Always(); },
}};

const RegisterMutant kCallsNullDeleters{{
    .name = "calls-null-deleters",
    .rules = {"C-OWN-05", "PY-CAPSULE-12"},
    .what = "calls the deleter without checking for NULL",
    .apply = [](Behaviour& behaviour) { behaviour.owning.calls_null_deleter = When::Always(); },
}};

const RegisterMutant kCallsNullDeletersOfRefused{{
    .name = "calls-null-deleters-of-refused",
    .rules = {"C-OWN-05"},
    .what = "calls the deleter of tensors that it refuses without checking for NULL",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.consumes = kPathAnyTensor;
          behaviour.owning.calls_null_deleter = When::MinorAtLeast(0);
        },
}};

const RegisterMutant kReadsAfterRelease{{
    .name = "reads-after-release",
    .rules = {"C-OWN-07"},
    .what = "reads the struct after it has called the deleter",
    .apply = [](Behaviour& behaviour) { behaviour.owning.touches_after_release = When::Always(); },
}};

const RegisterMutant kWritesAfterRelease{{
    .name = "writes-after-release",
    .rules = {"C-OWN-07"},
    .what = "writes to the struct of tensors of two or more dimensions after it has called the deleter",
    .apply = [](Behaviour& behaviour) { behaviour.owning.writes_after_release = When::RankAtLeast(2); },
}};

const RegisterMutant kFreesTheShape{{
    .name = "frees-the-shape",
    .rules = {"C-OWN-08"},
    .what = "calls free() on dl_tensor.shape of imported tensors",
    .apply = [](Behaviour& behaviour) { behaviour.owning.frees_shape = When::Always(); },
}};

const RegisterMutant kDereferencesTheContext{{
    .name = "dereferences-the-context",
    .rules = {"C-OWN-09"},
    .what = "dereferences manager_ctx",
    .apply = [](Behaviour& behaviour) { behaviour.importing.dereferences_context = When::Always(); },
}};

const RegisterMutant kChangesTheContext{{
    .name = "changes-the-context",
    .rules = {"C-OWN-09"},
    .what = "sets manager_ctx to NULL before it calls the deleter",
    .apply = [](Behaviour& behaviour) { behaviour.owning.changes_context = When::Always(); },
}};

const RegisterMutant kFreesTheContext{{
    .name = "frees-the-context",
    .rules = {"C-OWN-09"},
    .what = "calls free() on manager_ctx",
    .apply = [](Behaviour& behaviour) { behaviour.owning.frees_context = When::Always(); },
}};

const RegisterMutant kExportsLetGoOfTheSource{{
    .name = "exports-let-go-of-the-source",
    .rules = {"C-OWN-10"},
    .what = "releases the array and its memory as soon as they are exported",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_frees_early = When::Always(); },
}};

const RegisterMutant kDeleterReleasesTheLatestExport{{
    .name = "deleter-releases-the-latest-export",
    .rules = {"C-OWN-11"},
    .what = "also releases the most recent export whenever the deleter of an export is called",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_releases_latest = When::Always(); },
}};

const RegisterMutant kExportsShareAStruct{{
    .name = "exports-share-a-struct",
    .rules = {"C-OWN-11", "PY-CAPSULE-18"},
    .what = "returns the struct of the most recent export again instead of a new one",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.shares_struct = When::Always(); },
}};

const RegisterMutant kDeleterLeaks{{
    .name = "deleter-leaks",
    .rules = {"C-OWN-06", "C-OWN-20", "C-VERSION-11"},
    .what = "keeps the reference to the array after the deleter was called",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_leaks = When::Always(); },
}};

const RegisterMutant kDeleterLeaksLegacyViews{{
    .name = "deleter-leaks-legacy-views",
    .rules = {"C-OWN-20"},
    .what = "keeps the reference to a non-compact array after the deleter of its legacy export was called",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_leaks = When::Legacy().And(When::Strided()); },
}};

const RegisterMutant kDeleterNeedsTheGil{{
    .name = "deleter-needs-the-gil",
    .rules = {"C-OWN-12", "PY-THREAD-01"},
    .what = "drops the reference to the array in its deleters without acquiring the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_needs_gil = When::Always(); },
}};

const RegisterMutant kDeleterWantsItsThread{{
    .name = "deleter-wants-its-thread",
    .rules = {"C-OWN-12", "C-OWN-13"},
    .what = "aborts when a deleter is called on another thread than the one that exported",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_wants_thread = When::Always(); },
}};

const RegisterMutant kDeleterThrows{{
    .name = "deleter-throws",
    .rules = {"C-OWN-14"},
    .what = "throws a C++ exception from its deleters",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_throws = When::Always(); },
}};

const RegisterMutant kLeaksRefusedTypes{{
    .name = "leaks-refused-types",
    .rules = {"C-OWN-15"},
    .what = "consumes tensors of unsupported types when it refuses them and never calls their deleters",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathDtype | kPathLanes; },
}};

const RegisterMutant kReleasesRefusedTypesTwice{{
    .name = "releases-refused-types-twice",
    .rules = {"C-OWN-02", "C-OWN-15"},
    .what = "calls the deleter of a refused tensor of an unsupported type and leaves its capsule unused",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.releases_twice = kPathDtype; },
}};

const RegisterMutant kReleasesRefusedVectorsTwice{{
    .name = "releases-refused-vectors-twice",
    .rules = {"C-OWN-15"},
    .what = "calls the deleter of a refused tensor with several lanes and leaves its capsule unused",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.releases_twice = kPathLanes; },
}};

const RegisterMutant kReleasesRefusedLegacyTwice{{
    .name = "releases-refused-legacy-twice",
    .rules = {"C-OWN-15"},
    .what = "calls the deleter of a refused legacy tensor and leaves its capsule unused",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.releases_twice = kPathAnyTensor;
          behaviour.refusing.only = When::Legacy();
        },
}};

const RegisterMutant kCopiesInsteadOfBorrowingWrites{{
    .name = "copies-instead-of-borrowing-writes",
    .rules = {"C-OWN-16"},
    .what = "reports that a write succeeded although it wrote nothing",
    .apply = [](Behaviour& behaviour) { behaviour.owning.writes_nowhere = true; },
}};

const RegisterMutant kReadsItsArraysOnce{{
    .name = "reads-its-arrays-once",
    .rules = {"C-OWN-16"},
    .what = "returns the elements of the first read in all later reads of an array, although arrays are writable",
    .apply = [](Behaviour& behaviour) { behaviour.having.keeps_conversions = true; },
}};

const RegisterMutant kRemembersElements{{
    .name = "remembers-elements",
    .rules = {"C-OWN-16"},
    .what = "returns the elements as they were at import in all later reads",
    .apply = [](Behaviour& behaviour) { behaviour.importing.remembers_elements = When::Always(); },
}};

const RegisterMutant kKeepsThePrototype{{
    .name = "keeps-the-prototype",
    .rules = {"C-OWN-17", "XAPI-ALLOC-03", "XAPI-ALLOC-04"},
    .what = "returns allocated tensors whose shape points into the prototype",
    .apply = [](Behaviour& behaviour) { behaviour.table.keeps_prototype = When::Always(); },
}};

const RegisterMutant kTableServesNothing{{
    .name = "table-serves-nothing",
    .rules = {"XAPI-USE-04"},
    .what = "publishes an exchange table whose functions always fail",
    .apply = [](Behaviour& behaviour) { behaviour.table.serves_nothing = true; },
}};

const RegisterMutant kReexportsLoseTheImport{{
    .name = "reexports-lose-the-import",
    .rules = {"C-OWN-18"},
    .what = "does not keep the imported tensor alive for a re-export",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.import_dies = When::Always(); },
}};

const RegisterMutant kOverwritesTheLatestExport{{
    .name = "overwrites-the-latest-export",
    .rules = {"C-OWN-19"},
    .what = "changes the shape of the most recent export when it exports again",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.overwrites_latest = When::Always(); },
}};

const RegisterMutant kRecognisesStructAddresses{{
    .name = "recognises-struct-addresses",
    .rules = {"C-OWN-21"},
    .what = "returns the elements of an earlier import when the struct has the same address",
    .apply = [](Behaviour& behaviour) { behaviour.importing.recognises_struct = When::Always(); },
}};

const RegisterMutant kCopiesKeepTheSource{{
    .name = "copies-keep-the-source",
    .rules = {"C-OWN-20"},
    .what = "exports copies that keep the source array alive forever",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.copy_keeps_source = When::Always();
          behaviour.exporting.copies = When::Always();
        },
}};

const RegisterMutant kExportsNullDeleters{{
    .name = "exports-null-deleters",
    .rules = {"C-OWN-20"},
    .what = "exports non-compact arrays with a NULL deleter and never releases them",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.null_deleter = When::Strided(); },
}};

const RegisterMutant kAskingForTheDeviceLeaks{{
    .name = "asking-for-the-device-leaks",
    .rules = {"C-OWN-20"},
    .what = "keeps a reference to the array after each call of __dlpack_device__",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device_leaks = true; },
}};

const RegisterMutant kNeverReleasesBroadcast{{
    .name = "never-releases-broadcast",
    .rules = {"C-OWN-01"},
    .what = "never calls the deleter of broadcast tensors",
    .apply = [](Behaviour& behaviour) { behaviour.owning.leaks = When::Broadcast(); },
}};

const RegisterMutant kReleasesLegacyEarly{{
    .name = "releases-legacy-early",
    .rules = {"C-OWN-03", "PY-CAPSULE-09"},
    .what = "calls the deleter of legacy tensors at import although the array shares the memory",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_early = When::Legacy(); },
}};

const RegisterMutant kReleasesComplexTwice{{
    .name = "releases-complex-twice",
    .rules = {"C-OWN-02"},
    .what = "calls the deleter of complex tensors twice",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_twice = When::Code(abi::kDLComplex); },
}};

const RegisterMutant kDeleterLeaksEmpty{{
    .name = "deleter-leaks-empty",
    .rules = {"C-OWN-20", "C-OWN-06"},
    .what = "keeps the reference to a zero-size array after the deleter was called",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_leaks = When::Empty(); },
}};

const RegisterMutant kDeleterOfLegacyThrows{{
    .name = "deleter-of-legacy-throws",
    .rules = {"C-OWN-14"},
    .what = "throws a C++ exception from the deleters of legacy exports",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_throws = When::Legacy(); },
}};

const RegisterMutant kExportsShareALegacyStruct{{
    .name = "exports-share-a-legacy-struct",
    .rules = {"C-OWN-11", "PY-CAPSULE-18"},
    .what = "returns the struct of the most recent legacy export again instead of a new one",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.shares_struct = When::Legacy(); },
}};

const RegisterMutant kHandsACopyOfLegacyStructsToTheDeleter{{
    .name = "hands-a-copy-of-legacy-structs-to-the-deleter",
    .rules = {"C-OWN-04"},
    .what = "passes a copy of legacy structs to the deleter",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_copy = When::Legacy(); },
}};

// Only the memory shows this leak: the array object itself is freed.
const RegisterMutant kKeepsTheMemory{{
    .name = "keeps-the-memory",
    .rules = {"C-OWN-20"},
    .what = "exports the memory without a reference to the array and never frees that memory",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.holds_memory_only = When::Always();
          behaviour.exporting.deleter_leaks = When::Imported().Not();
        },
}};

const RegisterMutant kKeepsTheMemoryOfBools{{
    .name = "keeps-the-memory-of-bools",
    .rules = {"C-OWN-20"},
    .what = "exports the memory without a reference to the array and never frees the memory of bool arrays",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.holds_memory_only = When::Always();
          behaviour.exporting.deleter_leaks = When::Code(abi::kDLBool).And(When::Imported().Not());
        },
}};

const RegisterMutant kDeleterKeepsStruct{{
    .name = "deleter-keeps-the-struct",
    .rules = {"C-OWN-06", "C-OWN-20"},
    .what = "never frees the exported struct, its shape and its strides",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_keeps_struct = When::Always(); },
}};

}  // namespace
}  // namespace dlpack_cts
