// mutants/xapi-consumer.cc: mutants of the rules on consumers of the C exchange table, and conforming variants.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kTakesAnyCapsuleForATable{{
    .name = "takes-any-capsule-for-a-table",
    .rules = {"XAPI-DISC-08"},
    .what = "does not check the name of the exchange table capsule",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.ignores_name = true; },
}};

const RegisterMutant kComparesTheBeginOfTableNames{{
    .name = "compares-the-begin-of-table-names",
    .rules = {"XAPI-DISC-08"},
    .what = "accepts exchange table capsules whose name only begins with the right name",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.compares_prefix = true; },
}};

const RegisterMutant kTrustsTheTableAttribute{{
    .name = "trusts-the-table-attribute",
    .rules = {"XAPI-DISC-08"},
    .what = "uses the result of PyCapsule_GetPointer for the table attribute without checking for NULL",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.trusts_attribute = true; },
}};

const RegisterMutant kLeavesTheErrorOfTheLookup{{
    .name = "leaves-the-error-of-the-table-lookup",
    .rules = {"XAPI-DISC-08"},
    .what = "continues with an exception set if the table attribute is not an exchange table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.keeps_error = true; },
}};

const RegisterMutant kRefusesWhatIsNoTable{{
    .name = "refuses-what-is-no-table",
    .conforming = true,
    .rules = {"XAPI-DISC-08"},
    .what = "refuses objects whose type has a table attribute that is not an exchange table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.refuses_other = true; },
}};

const RegisterMutant kUsesTablesOfAnyMajor{{
    .name = "uses-tables-of-any-major",
    .rules = {"XAPI-VER-01"},
    .what = "does not check the major version of an exchange table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.ignores_major = true; },
}};

const RegisterMutant kRefusesForeignTables{{
    .name = "refuses-tables-of-another-major",
    .conforming = true,
    .rules = {"XAPI-VER-01"},
    .what = "refuses objects whose table has another major version",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.refuses_major = true; },
}};

const RegisterMutant kComparesAByteOfTheTablesMajor{{
    .name = "compares-a-byte-of-the-tables-major",
    .rules = {"XAPI-VER-01"},
    .what = "compares only the low 8 bits of a table's major version",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.compares_low_byte = true; },
}};

const RegisterMutant kRefusesTablesOfNewerMinors{{
    .name = "refuses-tables-of-newer-minors",
    .rules = {"XAPI-VER-07"},
    .what = "refuses objects whose table has a newer minor version than its own",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.refused_minor = 4; },
}};

const RegisterMutant kCallsTheMissingView{{
    .name = "calls-the-missing-view",
    .rules = {"XAPI-TAB-06"},
    .what = "calls dltensor_from_py_object_no_sync without checking for NULL",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.calls_null_view = true; },
}};

const RegisterMutant kDemandsViews{{
    .name = "demands-views",
    .conforming = true,
    .rules = {"XAPI-TAB-06"},
    .what = "refuses objects whose table has a NULL dltensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.needs_view = true; },
}};

const RegisterMutant kUsesWhatFailed{{
    .name = "uses-what-a-table-function-failed-to-give",
    .rules = {"XAPI-RET-05"},
    .what = "reads the out parameter of a table function that failed",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.uses_failed = true; },
}};

const RegisterMutant kUsesWhatIsNoTensor{{
    .name = "uses-the-tensor-that-a-table-did-not-give",
    .rules = {"XAPI-RET-05"},
    .what = "uses the tensor of a table function that returned 0 without checking for NULL",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.trusts_tensor = true; },
}};

const RegisterMutant kUsesWhatIsNoView{{
    .name = "uses-the-view-that-a-table-did-not-give",
    .rules = {"XAPI-RET-05"},
    .what = "reads shape of a DLTensor view whose device_type is 0",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.trusts_view = true; },
}};

const RegisterMutant kUsesWhatIsNoMemory{{
    .name = "uses-the-memory-that-a-table-did-not-give",
    .rules = {"XAPI-RET-05"},
    .what = "uses the tensor of an allocator that returned 0 without checking for NULL",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.allocates = true;
          behaviour.consulting.trusts_memory = true;
        },
}};

const RegisterMutant kUsesFailedViews{{
    .name = "uses-failed-views",
    .rules = {"XAPI-RET-05"},
    .what = "reads the DLTensor view after dltensor_from_py_object_no_sync failed",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.uses_failed_view = true; },
}};

const RegisterMutant kSwallowsFailures{{
    .name = "swallows-table-failures",
    .rules = {"XAPI-RET-05"},
    .what = "calls __dlpack__ with the exception of a failed table function still set",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.swallows_failure = true; },
}};

const RegisterMutant kUsesOneTableForAll{{
    .name = "uses-one-table-for-all-types",
    .rules = {"XAPI-FROM-03"},
    .what = "uses the first exchange table that it finds for all types",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.one_table = true; },
}};

const RegisterMutant kUsesTheLastTable{{
    .name = "uses-the-last-table-at-times",
    .rules = {"XAPI-FROM-03"},
    .what = "uses the exchange table of the previous exchange in every second exchange",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.one_table_for_second = true; },
}};

const RegisterMutant kKeepsWhatViewsShow{{
    .name = "keeps-what-views-show",
    .rules = {"XAPI-USE-05"},
    .what = "keeps the memory of a DLTensor view instead of copying it for copy=True",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.copies_views = true;
          behaviour.consulting.keeps_copied_view = true;
        },
}};

const RegisterMutant kKeepsTheShapeOfViews{{
    .name = "keeps-the-shape-of-views",
    .rules = {"XAPI-DLT-03"},
    .what = "reads shape of a DLTensor view after it has called the producer again",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.keeps_view = true; },
}};

const RegisterMutant kKeepsTheStridesOfViews{{
    .name = "keeps-the-strides-of-views",
    .rules = {"XAPI-DLT-03"},
    .what = "reads strides of a DLTensor view after it has called the producer again",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.keeps_strides = true; },
}};

const RegisterMutant kTakesWithoutTheGil{{
    .name = "takes-through-tables-without-the-gil",
    .rules = {"XAPI-USE-02"},
    .what = "calls managed_tensor_from_py_object_no_sync without holding the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.drops_gil = true; },
}};

const RegisterMutant kViewsWithoutTheGil{{
    .name = "views-without-the-gil",
    .rules = {"XAPI-USE-02"},
    .what = "calls dltensor_from_py_object_no_sync without holding the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.drops_gil_for_view = true; },
}};

const RegisterMutant kWritesToTables{{
    .name = "writes-to-tables",
    .rules = {"XAPI-USE-03"},
    .what = "sets prev_api of an exchange table to NULL",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.writes_table = true; },
}};

const RegisterMutant kFreesTables{{
    .name = "frees-tables",
    .rules = {"XAPI-USE-03"},
    .what = "calls free() on an exchange table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.frees_table = true; },
}};

const RegisterMutant kForgetsCopyForTables{{
    .name = "forgets-copy-for-tables",
    .rules = {"XAPI-USE-05"},
    .what = "ignores copy= if the object's type has an exchange table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.forgets_copy = true; },
}};

const RegisterMutant kNeverUsesTables{{
    .name = "never-uses-tables",
    .conforming = true,
    .rules = {"XAPI-DISC-08", "XAPI-VER-01", "XAPI-USE-05", "XAPI-DISC-06", "XAPI-TAB-06", "XAPI-VER-07"},
    .what = "never uses exchange tables, only __dlpack__",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.never = true; },
}};

const RegisterMutant kLooksOnTheObject{{
    .name = "looks-for-tables-on-the-object",
    .rules = {"XAPI-DISC-06"},
    .what = "looks up the exchange table on the object instead of its type",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.on_object = true; },
}};

const RegisterMutant kLooksOnTheObjectToo{{
    .name = "looks-for-tables-on-the-object-too",
    .rules = {"XAPI-DISC-06"},
    .what = "looks up the exchange table on the object if its type has none",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.on_object_too = true; },
}};

const RegisterMutant kLooksOnTheObjectFirst{{
    .name = "looks-for-tables-on-the-object-first",
    .conforming = true,
    .rules = {"XAPI-DISC-06"},
    .what = "looks up the exchange table on the object, and then uses the one of its type",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.on_object_first = true; },
}};

const RegisterMutant kLooksAtNoView{{
    .name = "looks-at-no-view",
    .conforming = true,
    .rules = {"XAPI-TAB-06"},
    .what = "calls managed_tensor_from_py_object_no_sync without calling dltensor_from_py_object_no_sync first",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.never_views = true; },
}};

const RegisterMutant kFallsBackFromTables{{
    .name = "falls-back-from-tables",
    .conforming = true,
    .rules = {"XAPI-RET-05"},
    .what = "calls __dlpack__ if a function of the exchange table fails",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.falls_back = true; },
}};

const RegisterMutant kDemandsADeclaredTable{{
    .name = "demands-a-declared-table",
    .rules = {"XAPI-DISC-09"},
    .what = "refuses objects whose type has the table attribute but raises AttributeError for it",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.needs_table = true; },
}};

const RegisterMutant kKeepsTheMissingTablesError{{
    .name = "keeps-the-error-of-a-missing-table",
    .rules = {"XAPI-DISC-09"},
    .what = "calls __dlpack__ with the AttributeError of the table lookup still set",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.keeps_missing = true; },
}};

const RegisterMutant kTakesTheFirstOlderTable{{
    .name = "takes-the-first-older-table",
    .rules = {"XAPI-VER-02"},
    .what = "uses the first table behind prev_api of a table of another major version, whatever its version",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.walks = true;
          behaviour.consulting.walks_one = true;
        },
}};

const RegisterMutant kTakesTheOldestTable{{
    .name = "takes-the-oldest-table",
    .rules = {"XAPI-VER-02"},
    .what = "follows prev_api to the last table, past a table of its own major version",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.walks = true;
          behaviour.consulting.walks_to_end = true;
        },
}};

const RegisterMutant kWalksToOlderTables{{
    .name = "walks-to-older-tables",
    .conforming = true,
    .rules = {"XAPI-VER-02", "XAPI-VER-01"},
    .what = "follows prev_api of a table of another major version to one of its own major version",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.walks = true; },
}};

const RegisterMutant kDemandsAStreamOfTheCpu{{
    .name = "demands-a-stream-of-the-cpu",
    .rules = {"XAPI-STREAM-03"},
    .what = "refuses CPU tensors if current_work_stream fails",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.asks_stream = true;
          behaviour.consulting.needs_stream = true;
        },
}};

const RegisterMutant kKeepsTheStreamsError{{
    .name = "keeps-the-error-of-the-stream",
    .rules = {"XAPI-STREAM-03"},
    .what = "imports a CPU tensor with the exception of a failed current_work_stream still set",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.asks_stream = true;
          behaviour.consulting.keeps_stream_error = true;
        },
}};

const RegisterMutant kAsksForTheStreamOfTheCpu{{
    .name = "asks-for-the-stream-of-the-cpu",
    .conforming = true,
    .rules = {"XAPI-STREAM-03"},
    .what = "calls current_work_stream for CPU tensors too",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.asks_stream = true; },
}};

const RegisterMutant kReportsWithoutTheGil{{
    .name = "reports-without-the-gil",
    .rules = {"XAPI-ALLOC-11"},
    .what = "sets a Python exception in SetError without acquiring the GIL",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.allocates = true;
          behaviour.consulting.reports_without_gil = true;
        },
}};

const RegisterMutant kLooksWithoutTheGil{{
    .name = "looks-for-exceptions-without-the-gil",
    .rules = {"XAPI-ALLOC-11"},
    .what = "calls PyErr_Occurred in SetError before it acquires the GIL",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.allocates = true;
          behaviour.consulting.looks_without_gil = true;
        },
}};

const RegisterMutant kAsksTablesForMemory{{
    .name = "asks-tables-for-memory",
    .conforming = true,
    .rules = {"XAPI-ALLOC-11", "XAPI-USE-02"},
    .what = "calls managed_tensor_allocator, and acquires the GIL in SetError",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.allocates = true; },
}};

const RegisterMutant kGoesByTheException{{
    .name = "tells-failure-by-the-exception",
    .rules = {"XAPI-RET-05"},
    .what = "treats a table function that failed as successful if no exception is set",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.goes_by_error = true; },
}};

const RegisterMutant kKeepsRefusedOfTables{{
    .name = "keeps-what-it-refuses-of-tables",
    .rules = {"C-OWN-15"},
    .what = "never calls the deleter of a tensor from a table that it refuses",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.keeps_refused = true; },
}};

const RegisterMutant kKeepsTables{{
    .name = "keeps-tables-by-type",
    .conforming = true,
    .rules = {"XAPI-DISC-07"},
    .what = "caches the exchange table of each type and keeps a reference to the type",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.caches = true; },
}};

const RegisterMutant kDiesOfMovedTables{{
    .name = "dies-of-tables-that-move",
    .rules = {"XAPI-DISC-07"},
    .what = "aborts if the second lookup of a type's exchange table returns another address",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.looks_up_twice = true; },
}};

const RegisterMutant kCopiesBlindly{{
    .name = "calls-a-null-view-for-copies",
    .rules = {"XAPI-TAB-06"},
    .what = "uses the exchange table for copy=True and calls dltensor_from_py_object_no_sync without checking for NULL",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.copies_blindly = true; },
}};

const RegisterMutant kCopiesPastFailure{{
    .name = "copies-past-a-failing-view",
    .rules = {"XAPI-RET-05"},
    .what = "uses the exchange table for copy=True and ignores that dltensor_from_py_object_no_sync failed",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.copies_past_failure = true; },
}};

const RegisterMutant kTakesAnyMajorOfTables{{
    .name = "takes-any-major-of-tables",
    .rules = {"C-VERSION-04", "C-VERSION-02"},
    .what = "imports tensors of every major version from exchange tables",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.ignores_tensor_major = true; },
}};

}  // namespace
}  // namespace dlpack_cts
