// mutants/xapi-producer.cc: mutants of the rules on the exchange table and its functions, and conforming variants.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

using Form = Publishing::Form;

constexpr uint8_t kAllocator = 0;
constexpr uint8_t kFromObject = 1;
constexpr uint8_t kToObject = 2;
constexpr uint8_t kView = 3;
constexpr uint8_t kStream = 4;

const RegisterMutant kMisnamesItsTable{{
    .name = "misnames-its-table",
    .rules = {"XAPI-DISC-01"},
    .what = "publishes its exchange table in a capsule with another name",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Form::kMisnamed; },
}};

const RegisterMutant kPublishesNoCapsule{{
    .name = "publishes-none-as-its-table",
    .rules = {"XAPI-DISC-01"},
    .what = "publishes None instead of the capsule of its exchange table",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Form::kObject; },
}};

const RegisterMutant kPublishesAnInteger{{
    .name = "publishes-its-table-as-an-integer",
    .rules = {"XAPI-DISC-02"},
    .what = "publishes an int instead of a capsule under the attribute name of DLPack 1.3",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Form::kInteger; },
}};

const RegisterMutant kPublishesTwoTables{{
    .name = "publishes-two-tables",
    .rules = {"XAPI-DISC-02"},
    .what = "publishes another table under the attribute name of DLPack 1.2 than under that of 1.3",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Form::kTwoTables; },
}};

const RegisterMutant kMovesItsTable{{
    .name = "moves-its-table",
    .rules = {"XAPI-DISC-04"},
    .what = "publishes another exchange table with each new array",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.moves = 1; },
}};

const RegisterMutant kChangesItsTable{{
    .name = "changes-its-table",
    .rules = {"XAPI-DISC-05"},
    .what = "changes the header of its exchange table while it is in use",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.changes = true; },
}};

const RegisterMutant kChainsItsTableToItself{{
    .name = "chains-its-table-to-itself",
    .rules = {"XAPI-VER-03"},
    .what = "publishes a table whose prev_api points to the table itself",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.endless = true; },
}};

const RegisterMutant kChainsALaterTable{{
    .name = "chains-a-later-table",
    .rules = {"XAPI-VER-04"},
    .what = "publishes a table whose prev_api points to a later version",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.later_behind = true; },
}};

const RegisterMutant kNamesAForeignTableVersion{{
    .name = "names-a-foreign-table-version",
    .rules = {"XAPI-VER-06"},
    .what = "publishes version 2.0 in the header of a table of version 1.3",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.other_major = true; },
}};

const RegisterMutant kHasNoAllocator{{
    .name = "has-no-allocator",
    .rules = {"XAPI-TAB-01"},
    .what = "publishes a table with NULL managed_tensor_allocator",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.null_slots = 1u << kAllocator; },
}};

const RegisterMutant kHasNoFromObject{{
    .name = "has-no-from-object",
    .rules = {"XAPI-TAB-02"},
    .what = "publishes a table with NULL managed_tensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.null_slots = 1u << kFromObject; },
}};

const RegisterMutant kHasNoToObject{{
    .name = "has-no-to-object",
    .rules = {"XAPI-TAB-03"},
    .what = "publishes a table with NULL managed_tensor_to_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.null_slots = 1u << kToObject; },
}};

const RegisterMutant kHasNoWorkStream{{
    .name = "has-no-work-stream",
    .rules = {"XAPI-TAB-05"},
    .what = "publishes a table with NULL current_work_stream",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.null_slots = 1u << kStream; },
}};

const RegisterMutant kHasNoViews{{
    .name = "has-no-views",
    .conforming = true,
    .rules = {"XAPI-TAB-04", "C-LAYOUT-09"},
    .what = "publishes a table with NULL dltensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.null_slots = 1u << kView; },
}};

const RegisterMutant kHasAnOlderTable{{
    .name = "has-an-older-table",
    .conforming = true,
    .rules = {"XAPI-VER-03", "XAPI-VER-04"},
    .what = "publishes a table whose prev_api points to a header of version 1.2",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.older_behind = true; },
}};

const RegisterMutant kNamesAnotherTableMinor{{
    .name = "has-a-table-of-1-2",
    .conforming = true,
    .rules = {"XAPI-VER-06"},
    .what = "publishes version 1.2 in the header of its table",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.other_minor = true; },
}};

const RegisterMutant kOffersNoTable{{
    .name = "offers-no-table",
    .conforming = true,
    .rules = {"XAPI-DISC-03", "XAPI-DISC-01"},
    .what = "publishes no exchange table",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Form::kNothing; },
}};

const RegisterMutant kExportsQuietlyFail{{
    .name = "table-exports-fail-quietly",
    .rules = {"XAPI-RET-02"},
    .what = "fails in managed_tensor_from_py_object_no_sync without setting an exception",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kFailsQuietly, kFromObject}; },
}};

const RegisterMutant kStreamsQuietlyFail{{
    .name = "work-streams-fail-quietly",
    .rules = {"XAPI-RET-02"},
    .what = "fails in current_work_stream without setting an exception",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kFailsQuietly, kStream}; },
}};

const RegisterMutant kImportsLeaveExceptions{{
    .name = "table-imports-leave-exceptions",
    .rules = {"XAPI-RET-02"},
    .what = "returns 0 from managed_tensor_to_py_object_no_sync with an exception set",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kLeavesAnException, kToObject}; },
}};

const RegisterMutant kFailsWithOne{{
    .name = "work-streams-fail-with-one",
    .rules = {"XAPI-RET-01"},
    .what = "returns 1 instead of -1 if current_work_stream fails",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kFailsWithOne, kStream}; },
}};

const RegisterMutant kForgetsTheView{{
    .name = "forgets-the-view",
    .rules = {"XAPI-RET-04"},
    .what = "returns 0 from dltensor_from_py_object_no_sync without writing the out parameter",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kForgetsTheAnswer, kView}; },
}};

const RegisterMutant kGivesNoTensor{{
    .name = "table-exports-give-null",
    .rules = {"XAPI-RET-04"},
    .what = "returns 0 from managed_tensor_from_py_object_no_sync with a NULL tensor",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kGivesNull, kFromObject}; },
}};

const RegisterMutant kGivesNoMemory{{
    .name = "allocator-gives-null",
    .rules = {"XAPI-ALLOC-08"},
    .what = "returns 0 from managed_tensor_allocator with a NULL tensor",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kGivesNull, kAllocator}; },
}};

const RegisterMutant kForgetsTheStream{{
    .name = "forgets-the-work-stream",
    .rules = {"XAPI-RET-04", "XAPI-STREAM-02"},
    .what = "returns 0 from current_work_stream without writing the out parameter",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kForgetsTheAnswer, kStream}; },
}};

const RegisterMutant kExportsOtherMajor{{
    .name = "table-exports-another-major",
    .rules = {"XAPI-VER-06"},
    .what = "exports tensors of version 2.x through its table of version 1.3",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_other_major = When::Always(); },
}};

const RegisterMutant kTableExportsCopies{{
    .name = "table-exports-copies",
    .rules = {"XAPI-FROM-06"},
    .what = "exports copies through its table without IS_COPIED",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_copies = true; },
}};

const RegisterMutant kTableExportsCopiesOfViews{{
    .name = "table-exports-copies-of-strided-arrays",
    .rules = {"XAPI-FROM-06", "C-SHAPE-10"},
    .what = "exports copies of non-compact arrays through its table without IS_COPIED",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_copies_strided = true; },
}};

const RegisterMutant kTableExportsStay{{
    .name = "table-exports-stay",
    .rules = {"XAPI-FROM-01"},
    .what = "keeps a reference to each array after managed_tensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.leaks_arrays = When::Always(); },
}};

const RegisterMutant kTableExportsNullStrides{{
    .name = "table-exports-null-strides",
    .rules = {"XAPI-FROM-05", "C-STRIDES-01"},
    .what = "exports tensors through its table with NULL strides",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_null_strides = When::Always(); },
}};

const RegisterMutant kTableTakesAnyMajor{{
    .name = "table-takes-any-major",
    .rules = {"XAPI-TO-04"},
    .what = "imports tensors of every major version through its table",
    .apply = [](Behaviour& behaviour) { behaviour.table.takes_other_majors = true; },
}};

const RegisterMutant kTableIgnoresSigns{{
    .name = "table-ignores-signs-of-strides",
    .rules = {"XAPI-TO-04", "XAPI-TO-02", "C-STRIDES-09"},
    .what = "makes negative strides positive when it imports through its table",
    .apply = [](Behaviour& behaviour) { behaviour.table.ignores_signs = true; },
}};

const RegisterMutant kTableKeepsTensors{{
    .name = "table-imports-stay",
    .rules = {"XAPI-TO-01"},
    .what = "never calls the deleter of tensors that it imported through its table",
    .apply = [](Behaviour& behaviour) { behaviour.table.keeps_tensors = When::Always(); },
}};

const RegisterMutant kTableReleasesRefused{{
    .name = "table-releases-refused-tensors-twice",
    .rules = {"XAPI-TO-05"},
    .what = "calls the deleter twice if managed_tensor_to_py_object_no_sync refuses a tensor",
    .apply = [](Behaviour& behaviour) { behaviour.table.releases_refused = When::Always(); },
}};

const RegisterMutant kTableGivesTuples{{
    .name = "table-gives-tuples",
    .rules = {"XAPI-TO-02"},
    .what = "returns a tuple instead of an array from managed_tensor_to_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.gives_other_types = true; },
}};

const RegisterMutant kViewsStay{{
    .name = "views-keep-arrays",
    .rules = {"XAPI-DLT-01"},
    .what = "keeps a reference to each array after dltensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_leak = When::Always(); },
}};

const RegisterMutant kViewsShareStrides{{
    .name = "views-share-their-strides",
    .rules = {"XAPI-DLT-06", "XAPI-DLT-07"},
    .what = "stores the strides of all DLTensor views in the same memory",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_share_strides = When::Always(); },
}};

const RegisterMutant kViewsTurnShapes{{
    .name = "views-turn-shapes",
    .rules = {"XAPI-DLT-02"},
    .what = "returns shape in reverse order from dltensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_turn_shapes = When::Always(); },
}};

const RegisterMutant kAllocatesElsewhere{{
    .name = "allocates-elsewhere",
    .rules = {"XAPI-ALLOC-02"},
    .what = "sets device kDLCUDAHost on allocated tensors",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_elsewhere = When::Always(); },
}};

const RegisterMutant kAllocatesSigned{{
    .name = "allocates-the-other-signedness",
    .rules = {"XAPI-ALLOC-03"},
    .what = "allocates signed integers for unsigned prototypes, and unsigned for signed ones",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_signed = true; },
}};

const RegisterMutant kAllocatesReadOnly{{
    .name = "allocates-read-only",
    .rules = {"XAPI-ALLOC-03"},
    .what = "sets READ_ONLY on allocated tensors",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_read_only = true; },
}};

const RegisterMutant kReadsPrototypeStrides{{
    .name = "reads-strides-of-the-prototype",
    .rules = {"XAPI-ALLOC-01"},
    .what = "reads strides of the prototype in its allocator",
    .apply = [](Behaviour& behaviour) { behaviour.table.reads_prototype_strides = When::Always(); },
}};

const RegisterMutant kWritesPrototype{{
    .name = "writes-to-the-prototype",
    .rules = {"XAPI-ALLOC-09"},
    .what = "changes shape[0] of the prototype in its allocator",
    .apply = [](Behaviour& behaviour) { behaviour.table.writes_prototype = When::Always(); },
}};

const RegisterMutant kReportsSuccess{{
    .name = "reports-success-as-an-error",
    .rules = {"XAPI-ALLOC-05"},
    .what = "calls SetError although the allocation succeeded",
    .apply = [](Behaviour& behaviour) { behaviour.table.reports_success = true; },
}};

const RegisterMutant kFailsToReport{{
    .name = "allocates-nothing-and-says-nothing",
    .rules = {"XAPI-ALLOC-05"},
    .what = "fails in its allocator without calling SetError",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kFailsQuietly, kAllocator}; },
}};

const RegisterMutant kReportsTwice{{
    .name = "reports-a-failure-twice",
    .conforming = true,
    .rules = {"XAPI-ALLOC-05"},
    .what = "calls SetError twice for one failure",
    .apply = [](Behaviour& behaviour) { behaviour.table.reports_twice = true; },
}};

const RegisterMutant kReportsToOthers{{
    .name = "reports-to-another-context",
    .rules = {"XAPI-ALLOC-06"},
    .what = "passes NULL instead of error_ctx to SetError",
    .apply = [](Behaviour& behaviour) { behaviour.table.reports_to_others = true; },
}};

const RegisterMutant kReportsWithoutWords{{
    .name = "reports-without-words",
    .rules = {"XAPI-ALLOC-06"},
    .what = "passes NULL for both texts of SetError",
    .apply = [](Behaviour& behaviour) { behaviour.table.reports_without_words = true; },
}};

const RegisterMutant kHidesFailure{{
    .name = "hides-a-failed-allocation",
    .rules = {"XAPI-ALLOC-08"},
    .what = "returns 0 from its allocator although the allocation failed",
    .apply = [](Behaviour& behaviour) { behaviour.table.hides_failures = 3; },
}};

const RegisterMutant kAllocatorThrows{{
    .name = "allocator-throws",
    .rules = {"XAPI-RET-03"},
    .what = "throws a C++ exception from its allocator when it fails",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kThrows, kAllocator}; },
}};

const RegisterMutant kViewsThrow{{
    .name = "views-throw",
    .rules = {"XAPI-RET-03"},
    .what = "throws a C++ exception from dltensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kAlwaysThrows, kView}; },
}};

const RegisterMutant kForgetsForeignStreams{{
    .name = "forgets-streams-of-other-devices",
    .rules = {"XAPI-STREAM-05", "XAPI-RET-04"},
    .what = "returns 0 from current_work_stream for unsupported devices without writing the out parameter",
    .apply = [](Behaviour& behaviour) { behaviour.table.forgets_foreign = true; },
}};

const RegisterMutant kReadsForeignStreams{{
    .name = "reads-streams-of-other-devices",
    .rules = {"XAPI-STREAM-05"},
    .what = "dereferences the out parameter's initial value in current_work_stream for unsupported devices",
    .apply = [](Behaviour& behaviour) { behaviour.table.reads_foreign = true; },
}};

const RegisterMutant kHasAnOddView{{
    .name = "has-an-odd-view",
    .rules = {"XAPI-TAB-04"},
    .what = "publishes a table with the address 1 as dltensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.odd_view = true; },
}};

const RegisterMutant kAllocatesTurned{{
    .name = "allocates-column-major",
    .conforming = true,
    .rules = {"XAPI-ALLOC-10", "XAPI-ALLOC-03"},
    .what = "allocates tensors with column-major strides",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_turned = true; },
}};

const RegisterMutant kAllocatesOne{{
    .name = "allocates-one-element",
    .rules = {"XAPI-ALLOC-10"},
    .what = "allocates tensors with stride 0 in every dimension",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_one = true; },
}};

const RegisterMutant kAllocatesOneRow{{
    .name = "allocates-one-row",
    .rules = {"XAPI-ALLOC-10"},
    .what = "allocates tensors with stride 0 in the first dimension",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_one_row = true; },
}};

const RegisterMutant kTableExportsObjects{{
    .name = "table-exports-objects",
    .rules = {"XAPI-FROM-02"},
    .what = "exports arrays of Python objects through its table as numbers",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_oddities = 1u << static_cast<int>(Oddity::kObject); },
}};

const RegisterMutant kTableRaisesRuntimeError{{
    .name = "table-raises-runtime-error",
    .rules = {"XAPI-FROM-02"},
    .what = "raises RuntimeError if its table cannot export an array",
    .apply = [](Behaviour& behaviour) { behaviour.table.error = ErrorClass::kRuntimeError; },
}};

const RegisterMutant kHasAnOddHeader{{
    .name = "has-an-odd-header",
    .rules = {"XAPI-VER-05"},
    .what = "publishes a table header with prev_api before the version",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.odd_header = true; },
}};

const RegisterMutant kPublishesAnIntegerForSubclasses{{
    .name = "publishes-an-integer-for-subclasses",
    .rules = {"XAPI-DISC-02"},
    .what = "publishes an int under the attribute name of DLPack 1.3 for a subclass of its type",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.subclass_integer = true; },
}};

const RegisterMutant kTableRefusesQuietly{{
    .name = "table-refuses-quietly",
    .rules = {"XAPI-RET-02"},
    .what = "refuses to export through its table without setting an exception",
    .apply = [](Behaviour& behaviour) { behaviour.table.refuses_quietly = true; },
}};

const RegisterMutant kTableRefusesWithNull{{
    .name = "table-refuses-with-null",
    .rules = {"XAPI-RET-04"},
    .what = "returns 0 with a NULL tensor for arrays that it cannot export through its table",
    .apply = [](Behaviour& behaviour) { behaviour.table.refuses_with_null = true; },
}};

const RegisterMutant kViewsRefuseQuietly{{
    .name = "views-refuse-quietly",
    .rules = {"XAPI-RET-02"},
    .what = "refuses in dltensor_from_py_object_no_sync without setting an exception",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_refuse_quietly = true; },
}};

const RegisterMutant kTableExportsUnpadded{{
    .name = "table-exports-unpadded",
    .rules = {"XAPI-FROM-05", "C-SUBBYTE-06"},
    .what = "exports padded small elements through its table without DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.storage = Storage::kPadded;
          behaviour.having.stored = When::Always();
          behaviour.table.exports_unpadded = When::Always();
        },
}};

const RegisterMutant kTableCopiesInsideBytes{{
    .name = "table-copies-what-begins-inside-a-byte",
    .rules = {"XAPI-FROM-06", "XAPI-FROM-05"},
    .what = "exports copies of arrays that start inside a byte through its table without IS_COPIED",
    .apply = [](Behaviour& behaviour) { behaviour.table.copies_inside_bytes = true; },
}};

const RegisterMutant kTableExportsOfSubclassesStay{{
    .name = "table-exports-of-subclasses-stay",
    .rules = {"XAPI-FROM-01"},
    .what = "keeps a reference to each subclass array after managed_tensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.leaks_subclasses = true; },
}};

const RegisterMutant kDeletedTableExportsStay{{
    .name = "deleted-exports-of-the-table-stay",
    .rules = {"XAPI-FROM-01"},
    .what = "leaks memory with each tensor that it exports through its table",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_stay = true; },
}};

const RegisterMutant kTableExportsShareShapes{{
    .name = "table-exports-share-their-shapes",
    .rules = {"C-OWN-11", "C-SHAPE-05"},
    .what = "stores the shape of all tensors that it exports through its table in the same memory",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_share_shapes = true; },
}};

const RegisterMutant kViewsShareShapes{{
    .name = "views-share-their-shapes",
    .rules = {"XAPI-DLT-06", "XAPI-DLT-07"},
    .what = "stores the shape of all DLTensor views in the same memory",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_share_shapes = true; },
}};

const RegisterMutant kViewsAllocate{{
    .name = "views-allocate",
    .rules = {"XAPI-DLT-02"},
    .what = "leaks memory with each DLTensor view",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_stay = When::Always(); },
}};

const RegisterMutant kAllocatesHere{{
    .name = "allocates-here-for-every-device",
    .rules = {"XAPI-ALLOC-02"},
    .what = "allocates on the CPU for every device of the prototype",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_here = true; },
}};

const RegisterMutant kAllocatesWrapped{{
    .name = "allocates-what-is-left-of-a-product",
    .rules = {"XAPI-ALLOC-03"},
    .what = "allocates the low 64 bits of the byte count if the size overflows",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_wrapped = true; },
}};

const RegisterMutant kForgetsLanes{{
    .name = "allocates-one-lane-of-vectors",
    .rules = {"XAPI-ALLOC-03"},
    .what = "allocates memory for one lane of each element with several lanes",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.vectors = Vectors::kKept;
          behaviour.table.forgets_lanes = true;
        },
}};

const RegisterMutant kRoundsBitsDown{{
    .name = "allocates-whole-bytes-alone",
    .rules = {"XAPI-ALLOC-03"},
    .what = "allocates tensors with NULL data if all elements together need less than one byte",
    .apply = [](Behaviour& behaviour) { behaviour.table.rounds_bits_down = true; },
}};

const RegisterMutant kDeletedAllocationsStay{{
    .name = "deleted-allocations-stay",
    .rules = {"XAPI-ALLOC-02"},
    .what = "leaks memory with each allocation of two or more dimensions",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocated_stays = When::RankAtLeast(2); },
}};

const RegisterMutant kAllocationsNeedTheGil{{
    .name = "allocations-need-the-gil",
    .rules = {"C-OWN-12", "PY-THREAD-01"},
    .what = "calls PyErr_Occurred in the deleter of allocated tensors without acquiring the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocated_needs_gil = When::Always(); },
}};

}  // namespace
}  // namespace dlpack_cts
