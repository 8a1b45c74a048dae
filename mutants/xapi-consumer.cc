// mutants/xapi-consumer.cc: mutants of the rules on consumers of the C exchange table, and variants that they allow.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kTakesAnyCapsuleForATable{{
    .name = "takes-any-capsule-for-a-table",
    .rules = {"XAPI-DISC-08"},
    .what = "does not look at the name of the capsule that should hold a table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.ignores_name = true; },
}};

const RegisterMutant kComparesTheBeginOfTableNames{{
    .name = "compares-the-begin-of-table-names",
    .rules = {"XAPI-DISC-08"},
    .what = "compares as many letters of a table's name as the right one has",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.compares_prefix = true; },
}};

const RegisterMutant kTrustsTheTableAttribute{{
    .name = "trusts-the-table-attribute",
    .rules = {"XAPI-DISC-08"},
    .what = "uses what PyCapsule_GetPointer gives for the attribute, NULL or not",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.trusts_attribute = true; },
}};

const RegisterMutant kLeavesTheErrorOfTheLookup{{
    .name = "leaves-the-error-of-the-table-lookup",
    .rules = {"XAPI-DISC-08"},
    .what = "goes on with an exception pending where the attribute is no table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.keeps_error = true; },
}};

const RegisterMutant kRefusesWhatIsNoTable{{
    .name = "refuses-what-is-no-table",
    .conforming = true,
    .rules = {"XAPI-DISC-08"},
    .what = "refuses objects of types whose attribute holds no table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.refuses_other = true; },
}};

const RegisterMutant kUsesTablesOfAnyMajor{{
    .name = "uses-tables-of-any-major",
    .rules = {"XAPI-VER-01"},
    .what = "does not check a table's major version",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.ignores_major = true; },
}};

const RegisterMutant kRefusesForeignTables{{
    .name = "refuses-tables-of-another-major",
    .conforming = true,
    .rules = {"XAPI-VER-01"},
    .what = "refuses objects of types whose table is of another major version",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.refuses_major = true; },
}};

const RegisterMutant kComparesAByteOfTheTablesMajor{{
    .name = "compares-a-byte-of-the-tables-major",
    .rules = {"XAPI-VER-01"},
    .what = "compares the low byte of a table's major version",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.compares_low_byte = true; },
}};

const RegisterMutant kRefusesTablesOfNewerMinors{{
    .name = "refuses-tables-of-newer-minors",
    .rules = {"XAPI-VER-07"},
    .what = "refuses objects whose table is of a newer minor version",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.refused_minor = 4; },
}};

const RegisterMutant kCallsTheMissingView{{
    .name = "calls-the-missing-view",
    .rules = {"XAPI-TAB-06"},
    .what = "calls dltensor_from_py_object_no_sync where it is NULL",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.calls_null_view = true; },
}};

const RegisterMutant kDemandsViews{{
    .name = "demands-views",
    .conforming = true,
    .rules = {"XAPI-TAB-06"},
    .what = "refuses objects whose table has no function for views",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.needs_view = true; },
}};

const RegisterMutant kUsesWhatFailed{{
    .name = "uses-what-a-table-function-failed-to-give",
    .rules = {"XAPI-RET-05"},
    .what = "uses the out value of a function that failed",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.uses_failed = true; },
}};

const RegisterMutant kUsesWhatIsNoTensor{{
    .name = "uses-the-tensor-that-a-table-did-not-give",
    .rules = {"XAPI-RET-05"},
    .what = "uses the tensor of a function that succeeded, NULL or not",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.trusts_tensor = true; },
}};

const RegisterMutant kUsesWhatIsNoView{{
    .name = "uses-the-view-that-a-table-did-not-give",
    .rules = {"XAPI-RET-05"},
    .what = "reads the shape of a view that names no device",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.trusts_view = true; },
}};

const RegisterMutant kUsesWhatIsNoMemory{{
    .name = "uses-the-memory-that-a-table-did-not-give",
    .rules = {"XAPI-RET-05"},
    .what = "uses the memory that an allocator gave when it succeeded, NULL or not",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.allocates = true;
          behaviour.consulting.trusts_memory = true;
        },
}};

const RegisterMutant kUsesFailedViews{{
    .name = "uses-failed-views",
    .rules = {"XAPI-RET-05"},
    .what = "uses the view of a function that failed",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.uses_failed_view = true; },
}};

const RegisterMutant kSwallowsFailures{{
    .name = "swallows-table-failures",
    .rules = {"XAPI-RET-05"},
    .what = "calls __dlpack__ with the exception of a failed function pending",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.swallows_failure = true; },
}};

const RegisterMutant kUsesOneTableForAll{{
    .name = "uses-one-table-for-all-types",
    .rules = {"XAPI-FROM-03"},
    .what = "uses the first table that it finds for all types",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.one_table = true; },
}};

const RegisterMutant kUsesTheLastTable{{
    .name = "uses-the-last-table-at-times",
    .rules = {"XAPI-FROM-03"},
    .what = "uses the last type's table in every other exchange",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.one_table_for_second = true; },
}};

const RegisterMutant kKeepsWhatViewsShow{{
    .name = "keeps-what-views-show",
    .rules = {"XAPI-USE-05"},
    .what = "where copy=True is given, takes the memory that a view shows for its own",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.copies_views = true;
          behaviour.consulting.keeps_copied_view = true;
        },
}};

const RegisterMutant kKeepsTheShapeOfViews{{
    .name = "keeps-the-shape-of-views",
    .rules = {"XAPI-DLT-03"},
    .what = "reads a view's shape when control went back to its producer",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.keeps_view = true; },
}};

const RegisterMutant kKeepsTheStridesOfViews{{
    .name = "keeps-the-strides-of-views",
    .rules = {"XAPI-DLT-03"},
    .what = "reads a view's strides when control went back to its producer",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.keeps_strides = true; },
}};

const RegisterMutant kTakesWithoutTheGil{{
    .name = "takes-through-tables-without-the-gil",
    .rules = {"XAPI-USE-02"},
    .what = "calls managed_tensor_from_py_object_no_sync without the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.drops_gil = true; },
}};

const RegisterMutant kViewsWithoutTheGil{{
    .name = "views-without-the-gil",
    .rules = {"XAPI-USE-02"},
    .what = "calls dltensor_from_py_object_no_sync without the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.drops_gil_for_view = true; },
}};

const RegisterMutant kWritesToTables{{
    .name = "writes-to-tables",
    .rules = {"XAPI-USE-03"},
    .what = "clears prev_api of a table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.writes_table = true; },
}};

const RegisterMutant kFreesTables{{
    .name = "frees-tables",
    .rules = {"XAPI-USE-03"},
    .what = "frees a table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.frees_table = true; },
}};

const RegisterMutant kForgetsCopyForTables{{
    .name = "forgets-copy-for-tables",
    .rules = {"XAPI-USE-05"},
    .what = "forgets copy= where the object has a table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.forgets_copy = true; },
}};

const RegisterMutant kNeverUsesTables{{
    .name = "never-uses-tables",
    .conforming = true,
    .rules = {"XAPI-DISC-08", "XAPI-VER-01", "XAPI-USE-05", "XAPI-DISC-06", "XAPI-TAB-06", "XAPI-VER-07"},
    .what = "goes by __dlpack__ alone",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.never = true; },
}};

const RegisterMutant kLooksOnTheObject{{
    .name = "looks-for-tables-on-the-object",
    .rules = {"XAPI-DISC-06"},
    .what = "looks for tables on the object",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.on_object = true; },
}};

const RegisterMutant kLooksOnTheObjectToo{{
    .name = "looks-for-tables-on-the-object-too",
    .rules = {"XAPI-DISC-06"},
    .what = "looks for a table on the object where its type has none",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.on_object_too = true; },
}};

const RegisterMutant kLooksOnTheObjectFirst{{
    .name = "looks-for-tables-on-the-object-first",
    .conforming = true,
    .rules = {"XAPI-DISC-06"},
    .what = "looks for a table on the object, and then takes that of its type",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.on_object_first = true; },
}};

const RegisterMutant kLooksAtNoView{{
    .name = "looks-at-no-view",
    .conforming = true,
    .rules = {"XAPI-TAB-06"},
    .what = "takes tensors from tables without looking at a view first",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.never_views = true; },
}};

const RegisterMutant kFallsBackFromTables{{
    .name = "falls-back-from-tables",
    .conforming = true,
    .rules = {"XAPI-RET-05"},
    .what = "calls __dlpack__ where a function of the table fails",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.falls_back = true; },
}};

const RegisterMutant kDemandsADeclaredTable{{
    .name = "demands-a-declared-table",
    .rules = {"XAPI-DISC-09"},
    .what = "refuses objects whose type says that it has no table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.needs_table = true; },
}};

const RegisterMutant kKeepsTheMissingTablesError{{
    .name = "keeps-the-error-of-a-missing-table",
    .rules = {"XAPI-DISC-09"},
    .what = "calls __dlpack__ with the AttributeError of the look-up pending",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.keeps_missing = true; },
}};

const RegisterMutant kTakesTheFirstOlderTable{{
    .name = "takes-the-first-older-table",
    .rules = {"XAPI-VER-02"},
    .what = "uses what is behind prev_api of a foreign table, whatever its version",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.walks = true;
          behaviour.consulting.walks_one = true;
        },
}};

const RegisterMutant kTakesTheOldestTable{{
    .name = "takes-the-oldest-table",
    .rules = {"XAPI-VER-02"},
    .what = "goes on along prev_api when it has found a table of its version",
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
    .what = "looks behind foreign tables for one of its own major version",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.walks = true; },
}};

const RegisterMutant kDemandsAStreamOfTheCpu{{
    .name = "demands-a-stream-of-the-cpu",
    .rules = {"XAPI-STREAM-03"},
    .what = "refuses tensors on the CPU where no work stream is named",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.asks_stream = true;
          behaviour.consulting.needs_stream = true;
        },
}};

const RegisterMutant kKeepsTheStreamsError{{
    .name = "keeps-the-error-of-the-stream",
    .rules = {"XAPI-STREAM-03"},
    .what = "takes a tensor on the CPU, and leaves the error of its work stream pending",
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
    .what = "asks for the work stream of tensors on the CPU too",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.asks_stream = true; },
}};

const RegisterMutant kReportsWithoutTheGil{{
    .name = "reports-without-the-gil",
    .rules = {"XAPI-ALLOC-11"},
    .what = "sets an exception in SetError, with the GIL or without",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.consulting.allocates = true;
          behaviour.consulting.reports_without_gil = true;
        },
}};

const RegisterMutant kLooksWithoutTheGil{{
    .name = "looks-for-exceptions-without-the-gil",
    .rules = {"XAPI-ALLOC-11"},
    .what = "looks in SetError, before it takes the GIL, whether an exception is set",
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
    .what = "asks the table for memory, and takes the GIL in SetError",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.allocates = true; },
}};

const RegisterMutant kGoesByTheException{{
    .name = "tells-failure-by-the-exception",
    .rules = {"XAPI-RET-05"},
    .what = "takes a function of a table for failed where an exception is set, and not by what it returns",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.goes_by_error = true; },
}};

const RegisterMutant kKeepsRefusedOfTables{{
    .name = "keeps-what-it-refuses-of-tables",
    .rules = {"C-OWN-15"},
    .what = "never releases a tensor that came through a table and cannot be imported",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.keeps_refused = true; },
}};

const RegisterMutant kKeepsTables{{
    .name = "keeps-tables-by-type",
    .conforming = true,
    .rules = {"XAPI-DISC-07"},
    .what = "keeps each type that it meets, and the table that it found there first",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.caches = true; },
}};

const RegisterMutant kDiesOfMovedTables{{
    .name = "dies-of-tables-that-move",
    .rules = {"XAPI-DISC-07"},
    .what = "ends the process where a type gives another table when it is looked up again",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.looks_up_twice = true; },
}};

const RegisterMutant kCopiesBlindly{{
    .name = "calls-a-null-view-for-copies",
    .rules = {"XAPI-TAB-06"},
    .what = "takes copies through a table, and calls its view where it is NULL",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.copies_blindly = true; },
}};

const RegisterMutant kCopiesPastFailure{{
    .name = "copies-past-a-failing-view",
    .rules = {"XAPI-RET-05"},
    .what = "takes copies through a table whose view failed, with the exception pending",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.copies_past_failure = true; },
}};

const RegisterMutant kTakesAnyMajorOfTables{{
    .name = "takes-any-major-of-tables",
    .rules = {"C-VERSION-04", "C-VERSION-02"},
    .what = "takes tensors of every major version that a table gives",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.ignores_tensor_major = true; },
}};

}  // namespace
}  // namespace dlpack_cts
