// mutants/c-own.cc: mutants of the chapter on ownership.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kNeverReleases{{
    .name = "never-releases",
    .rules = {"C-OWN-01", "PY-CAPSULE-09"},
    .what = "never calls the deleter of what it imported",
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
    .what = "never calls the deleter of read-only tensors of no dimension",
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
    .what = "releases the tensor at once, although the array shares the memory",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_early = When::Always(); },
}};

const RegisterMutant kViewsKeepNothing{{
    .name = "views-keep-nothing",
    .rules = {"C-OWN-03"},
    .what = "releases the tensor with the first array, whatever views there are",
    .apply = [](Behaviour& behaviour) { behaviour.owning.view_keeps_nothing = When::Always(); },
}};

const RegisterMutant kReleasesACopyOfTheStruct{{
    .name = "releases-a-copy-of-the-struct",
    .rules = {"C-OWN-04"},
    .what = "hands a copy of the struct to the deleter",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_copy = When::Always(); },
}};

const RegisterMutant kCallsNullDeleters{{
    .name = "calls-null-deleters",
    .rules = {"C-OWN-05", "PY-CAPSULE-12"},
    .what = "calls NULL deleters",
    .apply = [](Behaviour& behaviour) { behaviour.owning.calls_null_deleter = When::Always(); },
}};

const RegisterMutant kCallsNullDeletersOfRefused{{
    .name = "calls-null-deleters-of-refused",
    .rules = {"C-OWN-05"},
    .what = "calls NULL deleters of tensors that it refuses",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.consumes = kPathAnyTensor;
          behaviour.owning.calls_null_deleter = When::MinorAtLeast(0);
        },
}};

const RegisterMutant kReadsAfterRelease{{
    .name = "reads-after-release",
    .rules = {"C-OWN-07"},
    .what = "reads the struct after its deleter ran",
    .apply = [](Behaviour& behaviour) { behaviour.owning.touches_after_release = When::Always(); },
}};

const RegisterMutant kWritesAfterRelease{{
    .name = "writes-after-release",
    .rules = {"C-OWN-07"},
    .what = "writes into the struct after its deleter ran",
    .apply = [](Behaviour& behaviour) { behaviour.owning.writes_after_release = When::RankAtLeast(2); },
}};

const RegisterMutant kFreesTheShape{{
    .name = "frees-the-shape",
    .rules = {"C-OWN-08"},
    .what = "frees the shape of tensors that it imported",
    .apply = [](Behaviour& behaviour) { behaviour.owning.frees_shape = When::Always(); },
}};

const RegisterMutant kDereferencesTheContext{{
    .name = "dereferences-the-context",
    .rules = {"C-OWN-09"},
    .what = "reads through manager_ctx",
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
    .what = "frees manager_ctx",
    .apply = [](Behaviour& behaviour) { behaviour.owning.frees_context = When::Always(); },
}};

const RegisterMutant kExportsLetGoOfTheSource{{
    .name = "exports-let-go-of-the-source",
    .rules = {"C-OWN-10"},
    .what = "keeps nothing alive for its exports",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_frees_early = When::Always(); },
}};

const RegisterMutant kDeleterReleasesTheLatestExport{{
    .name = "deleter-releases-the-latest-export",
    .rules = {"C-OWN-11"},
    .what = "releases the latest export whichever deleter is called",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_releases_latest = When::Always(); },
}};

const RegisterMutant kExportsShareAStruct{{
    .name = "exports-share-a-struct",
    .rules = {"C-OWN-11", "PY-CAPSULE-18"},
    .what = "gives the struct of the latest export again",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.shares_struct = When::Always(); },
}};

const RegisterMutant kDeleterLeaks{{
    .name = "deleter-leaks",
    .rules = {"C-OWN-06", "C-OWN-20", "C-VERSION-11"},
    .what = "keeps a reference to the array after the deleter",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_leaks = When::Always(); },
}};

const RegisterMutant kDeleterLeaksLegacyViews{{
    .name = "deleter-leaks-legacy-views",
    .rules = {"C-OWN-20"},
    .what = "keeps a reference to views that it exported without a version",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_leaks = When::Legacy().And(When::Strided()); },
}};

const RegisterMutant kDeleterNeedsTheGil{{
    .name = "deleter-needs-the-gil",
    .rules = {"C-OWN-12", "PY-THREAD-01"},
    .what = "drops the array without the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_needs_gil = When::Always(); },
}};

const RegisterMutant kDeleterWantsItsThread{{
    .name = "deleter-wants-its-thread",
    .rules = {"C-OWN-12", "C-OWN-13"},
    .what = "ends the process when a deleter runs on another thread",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_wants_thread = When::Always(); },
}};

const RegisterMutant kDeleterThrows{{
    .name = "deleter-throws",
    .rules = {"C-OWN-14"},
    .what = "throws out of the deleter",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_throws = When::Always(); },
}};

const RegisterMutant kLeaksRefusedTypes{{
    .name = "leaks-refused-types",
    .rules = {"C-OWN-15"},
    .what = "takes tensors of unknown types and never releases them",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.leaks = kPathDtype | kPathLanes; },
}};

const RegisterMutant kReleasesRefusedTypesTwice{{
    .name = "releases-refused-types-twice",
    .rules = {"C-OWN-02", "C-OWN-15"},
    .what = "releases tensors of unknown types, and leaves them to the capsule too",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.releases_twice = kPathDtype; },
}};

const RegisterMutant kReleasesRefusedVectorsTwice{{
    .name = "releases-refused-vectors-twice",
    .rules = {"C-OWN-15"},
    .what = "releases vector tensors, and leaves them to the capsule too",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.releases_twice = kPathLanes; },
}};

const RegisterMutant kReleasesRefusedLegacyTwice{{
    .name = "releases-refused-legacy-twice",
    .rules = {"C-OWN-15"},
    .what = "releases refused legacy tensors, and leaves them to the capsule too",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.releases_twice = kPathAnyTensor;
          behaviour.refusing.only = When::Legacy();
        },
}};

const RegisterMutant kCopiesInsteadOfBorrowingWrites{{
    .name = "copies-instead-of-borrowing-writes",
    .rules = {"C-OWN-16"},
    .what = "says that it wrote, and wrote nowhere",
    .apply = [](Behaviour& behaviour) { behaviour.owning.writes_nowhere = true; },
}};

const RegisterMutant kReadsItsArraysOnce{{
    .name = "reads-its-arrays-once",
    .rules = {"C-OWN-16"},
    .what = "gives the elements of the first reading of an array for good, of arrays that can be written",
    .apply = [](Behaviour& behaviour) { behaviour.having.keeps_conversions = true; },
}};

const RegisterMutant kRemembersElements{{
    .name = "remembers-elements",
    .rules = {"C-OWN-16"},
    .what = "gives the elements of the moment of the import for ever",
    .apply = [](Behaviour& behaviour) { behaviour.importing.remembers_elements = When::Always(); },
}};

const RegisterMutant kKeepsThePrototype{{
    .name = "keeps-the-prototype",
    .rules = {"C-OWN-17", "XAPI-ALLOC-03", "XAPI-ALLOC-04"},
    .what = "points into the prototype of the tensor that it allocated",
    .apply = [](Behaviour& behaviour) { behaviour.table.keeps_prototype = When::Always(); },
}};

const RegisterMutant kTableServesNothing{{
    .name = "table-serves-nothing",
    .rules = {"XAPI-USE-04"},
    .what = "publishes a table whose functions fail, whatever they are asked for",
    .apply = [](Behaviour& behaviour) { behaviour.table.serves_nothing = true; },
}};

const RegisterMutant kReexportsLoseTheImport{{
    .name = "reexports-lose-the-import",
    .rules = {"C-OWN-18"},
    .what = "re-exports without keeping the imported tensor",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.import_dies = When::Always(); },
}};

const RegisterMutant kOverwritesTheLatestExport{{
    .name = "overwrites-the-latest-export",
    .rules = {"C-OWN-19"},
    .what = "changes the shape of the latest export with the next one",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.overwrites_latest = When::Always(); },
}};

const RegisterMutant kRecognisesStructAddresses{{
    .name = "recognises-struct-addresses",
    .rules = {"C-OWN-21"},
    .what = "gives an earlier import again when the struct address is the same",
    .apply = [](Behaviour& behaviour) { behaviour.importing.recognises_struct = When::Always(); },
}};

const RegisterMutant kCopiesKeepTheSource{{
    .name = "copies-keep-the-source",
    .rules = {"C-OWN-20"},
    .what = "keeps the array alive for copies that it exports",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.copy_keeps_source = When::Always();
          behaviour.exporting.copies = When::Always();
        },
}};

const RegisterMutant kExportsNullDeleters{{
    .name = "exports-null-deleters",
    .rules = {"C-OWN-20"},
    .what = "exports views with a NULL deleter and keeps them for ever",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.null_deleter = When::Strided(); },
}};

const RegisterMutant kAskingForTheDeviceLeaks{{
    .name = "asking-for-the-device-leaks",
    .rules = {"C-OWN-20"},
    .what = "keeps a reference to arrays that were asked for their device",
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
    .what = "releases legacy tensors at once, although the array shares the memory",
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
    .what = "exports tensors without elements whose deleter releases nothing",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_leaks = When::Empty(); },
}};

const RegisterMutant kDeleterOfLegacyThrows{{
    .name = "deleter-of-legacy-throws",
    .rules = {"C-OWN-14"},
    .what = "exports legacy tensors whose deleter throws",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_throws = When::Legacy(); },
}};

const RegisterMutant kExportsShareALegacyStruct{{
    .name = "exports-share-a-legacy-struct",
    .rules = {"C-OWN-11", "PY-CAPSULE-18"},
    .what = "gives one struct for all legacy exports",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.shares_struct = When::Legacy(); },
}};

const RegisterMutant kHandsACopyOfLegacyStructsToTheDeleter{{
    .name = "hands-a-copy-of-legacy-structs-to-the-deleter",
    .rules = {"C-OWN-04"},
    .what = "hands a copy of legacy structs to the deleter",
    .apply = [](Behaviour& behaviour) { behaviour.owning.releases_copy = When::Legacy(); },
}};

// Nothing but the memory tells of it: the array object is gone.
const RegisterMutant kKeepsTheMemory{{
    .name = "keeps-the-memory",
    .rules = {"C-OWN-20"},
    .what = "holds the memory of an export, not the array, and never lets it go",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.holds_memory_only = When::Always();
          behaviour.exporting.deleter_leaks = When::Imported().Not();
        },
}};

const RegisterMutant kKeepsTheMemoryOfBools{{
    .name = "keeps-the-memory-of-bools",
    .rules = {"C-OWN-20"},
    .what = "holds the memory of an export, not the array, and never lets that of bools go",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.holds_memory_only = When::Always();
          behaviour.exporting.deleter_leaks = When::Code(abi::kDLBool).And(When::Imported().Not());
        },
}};

const RegisterMutant kDeleterKeepsStruct{{
    .name = "deleter-keeps-the-struct",
    .rules = {"C-OWN-06", "C-OWN-20"},
    .what = "never frees the struct, and all that it holds",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.deleter_keeps_struct = When::Always(); },
}};

}  // namespace
}  // namespace dlpack_cts
