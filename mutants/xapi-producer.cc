// mutants/xapi-producer.cc: mutants of the rules on the exchange table and its functions, and variants that they allow.
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
    .what = "publishes its table as a capsule of another name",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Form::kMisnamed; },
}};

const RegisterMutant kPublishesNoCapsule{{
    .name = "publishes-none-as-its-table",
    .rules = {"XAPI-DISC-01"},
    .what = "has None where the capsule of its table should be",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Form::kObject; },
}};

const RegisterMutant kPublishesAnInteger{{
    .name = "publishes-its-table-as-an-integer",
    .rules = {"XAPI-DISC-02"},
    .what = "has an int under the name of 1.3",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Form::kInteger; },
}};

const RegisterMutant kPublishesTwoTables{{
    .name = "publishes-two-tables",
    .rules = {"XAPI-DISC-02"},
    .what = "leads to another table under the older name",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Form::kTwoTables; },
}};

const RegisterMutant kMovesItsTable{{
    .name = "moves-its-table",
    .rules = {"XAPI-DISC-04"},
    .what = "publishes another table with each array that it makes",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.moves = 1; },
}};

const RegisterMutant kChangesItsTable{{
    .name = "changes-its-table",
    .rules = {"XAPI-DISC-05"},
    .what = "changes the header of its table while it is in use",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.changes = true; },
}};

const RegisterMutant kChainsItsTableToItself{{
    .name = "chains-its-table-to-itself",
    .rules = {"XAPI-VER-03"},
    .what = "has a prev_api that leads back",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.endless = true; },
}};

const RegisterMutant kChainsALaterTable{{
    .name = "chains-a-later-table",
    .rules = {"XAPI-VER-04"},
    .what = "has a later version behind prev_api",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.later_behind = true; },
}};

const RegisterMutant kNamesAForeignTableVersion{{
    .name = "names-a-foreign-table-version",
    .rules = {"XAPI-VER-06"},
    .what = "says 2.0 in the header of a table of 1.3",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.other_major = true; },
}};

const RegisterMutant kHasNoAllocator{{
    .name = "has-no-allocator",
    .rules = {"XAPI-TAB-01"},
    .what = "leaves the allocator NULL",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.null_slots = 1u << kAllocator; },
}};

const RegisterMutant kHasNoFromObject{{
    .name = "has-no-from-object",
    .rules = {"XAPI-TAB-02"},
    .what = "leaves managed_tensor_from_py_object_no_sync NULL",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.null_slots = 1u << kFromObject; },
}};

const RegisterMutant kHasNoToObject{{
    .name = "has-no-to-object",
    .rules = {"XAPI-TAB-03"},
    .what = "leaves managed_tensor_to_py_object_no_sync NULL",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.null_slots = 1u << kToObject; },
}};

const RegisterMutant kHasNoWorkStream{{
    .name = "has-no-work-stream",
    .rules = {"XAPI-TAB-05"},
    .what = "leaves current_work_stream NULL",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.null_slots = 1u << kStream; },
}};

const RegisterMutant kHasNoViews{{
    .name = "has-no-views",
    .conforming = true,
    .rules = {"XAPI-TAB-04", "C-LAYOUT-09"},
    .what = "leaves dltensor_from_py_object_no_sync NULL",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.null_slots = 1u << kView; },
}};

const RegisterMutant kHasAnOlderTable{{
    .name = "has-an-older-table",
    .conforming = true,
    .rules = {"XAPI-VER-03", "XAPI-VER-04"},
    .what = "has a header of 1.2 behind prev_api",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.older_behind = true; },
}};

const RegisterMutant kNamesAnotherTableMinor{{
    .name = "has-a-table-of-1-2",
    .conforming = true,
    .rules = {"XAPI-VER-06"},
    .what = "says 1.2 in the header of its table",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.other_minor = true; },
}};

const RegisterMutant kOffersNoTable{{
    .name = "offers-no-table",
    .conforming = true,
    .rules = {"XAPI-DISC-03", "XAPI-DISC-01"},
    .what = "has neither attribute",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.form = Form::kNothing; },
}};

const RegisterMutant kExportsQuietlyFail{{
    .name = "table-exports-fail-quietly",
    .rules = {"XAPI-RET-02"},
    .what = "fails to export through the table without an exception",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kFailsQuietly, kFromObject}; },
}};

const RegisterMutant kStreamsQuietlyFail{{
    .name = "work-streams-fail-quietly",
    .rules = {"XAPI-RET-02"},
    .what = "fails to name a work stream without an exception",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kFailsQuietly, kStream}; },
}};

const RegisterMutant kImportsLeaveExceptions{{
    .name = "table-imports-leave-exceptions",
    .rules = {"XAPI-RET-02"},
    .what = "imports through the table, and leaves an exception set",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kLeavesAnException, kToObject}; },
}};

const RegisterMutant kFailsWithOne{{
    .name = "work-streams-fail-with-one",
    .rules = {"XAPI-RET-01"},
    .what = "returns 1 where it fails to name a work stream",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kFailsWithOne, kStream}; },
}};

const RegisterMutant kForgetsTheView{{
    .name = "forgets-the-view",
    .rules = {"XAPI-RET-04"},
    .what = "returns 0 and leaves the view as it was",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kForgetsTheAnswer, kView}; },
}};

const RegisterMutant kGivesNoTensor{{
    .name = "table-exports-give-null",
    .rules = {"XAPI-RET-04"},
    .what = "returns 0, and gives NULL in the place of a tensor",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kGivesNull, kFromObject}; },
}};

const RegisterMutant kGivesNoMemory{{
    .name = "allocator-gives-null",
    .rules = {"XAPI-ALLOC-08"},
    .what = "returns 0, and gives NULL in the place of memory",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kGivesNull, kAllocator}; },
}};

const RegisterMutant kForgetsTheStream{{
    .name = "forgets-the-work-stream",
    .rules = {"XAPI-RET-04", "XAPI-STREAM-02"},
    .what = "returns 0 and names no work stream",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kForgetsTheAnswer, kStream}; },
}};

const RegisterMutant kExportsOtherMajor{{
    .name = "table-exports-another-major",
    .rules = {"XAPI-VER-06"},
    .what = "exports tensors of version 2.0 through a table of 1.3",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_other_major = When::Always(); },
}};

const RegisterMutant kTableExportsCopies{{
    .name = "table-exports-copies",
    .rules = {"XAPI-FROM-06"},
    .what = "exports copies through the table, and does not say so",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_copies = true; },
}};

const RegisterMutant kTableExportsCopiesOfViews{{
    .name = "table-exports-copies-of-strided-arrays",
    .rules = {"XAPI-FROM-06", "C-SHAPE-10"},
    .what = "exports copies of strided arrays through the table, and does not say so",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_copies_strided = true; },
}};

const RegisterMutant kTableExportsStay{{
    .name = "table-exports-stay",
    .rules = {"XAPI-FROM-01"},
    .what = "keeps a reference to each array that is exported through the table",
    .apply = [](Behaviour& behaviour) { behaviour.table.leaks_arrays = When::Always(); },
}};

const RegisterMutant kTableExportsNullStrides{{
    .name = "table-exports-null-strides",
    .rules = {"XAPI-FROM-05", "C-STRIDES-01"},
    .what = "leaves the strides of tensors of the table NULL",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_null_strides = When::Always(); },
}};

const RegisterMutant kTableTakesAnyMajor{{
    .name = "table-takes-any-major",
    .rules = {"XAPI-TO-04"},
    .what = "imports tensors of every major version through the table",
    .apply = [](Behaviour& behaviour) { behaviour.table.takes_other_majors = true; },
}};

const RegisterMutant kTableIgnoresSigns{{
    .name = "table-ignores-signs-of-strides",
    .rules = {"XAPI-TO-04", "XAPI-TO-02", "C-STRIDES-09"},
    .what = "takes negative strides for positive ones in the table",
    .apply = [](Behaviour& behaviour) { behaviour.table.ignores_signs = true; },
}};

const RegisterMutant kTableKeepsTensors{{
    .name = "table-imports-stay",
    .rules = {"XAPI-TO-01"},
    .what = "never releases what came through the table",
    .apply = [](Behaviour& behaviour) { behaviour.table.keeps_tensors = When::Always(); },
}};

const RegisterMutant kTableReleasesRefused{{
    .name = "table-releases-refused-tensors-twice",
    .rules = {"XAPI-TO-05"},
    .what = "releases a tensor twice that its table refuses",
    .apply = [](Behaviour& behaviour) { behaviour.table.releases_refused = When::Always(); },
}};

const RegisterMutant kTableGivesTuples{{
    .name = "table-gives-tuples",
    .rules = {"XAPI-TO-02"},
    .what = "gives a tuple for a tensor of the table",
    .apply = [](Behaviour& behaviour) { behaviour.table.gives_other_types = true; },
}};

const RegisterMutant kViewsStay{{
    .name = "views-keep-arrays",
    .rules = {"XAPI-DLT-01"},
    .what = "keeps a reference to each array that is viewed through the table",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_leak = When::Always(); },
}};

const RegisterMutant kViewsShareStrides{{
    .name = "views-share-their-strides",
    .rules = {"XAPI-DLT-06", "XAPI-DLT-07"},
    .what = "writes the strides of every view to one place",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_share_strides = When::Always(); },
}};

const RegisterMutant kViewsTurnShapes{{
    .name = "views-turn-shapes",
    .rules = {"XAPI-DLT-02"},
    .what = "gives the extents of a view in the reverse order",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_turn_shapes = When::Always(); },
}};

const RegisterMutant kAllocatesElsewhere{{
    .name = "allocates-elsewhere",
    .rules = {"XAPI-ALLOC-02"},
    .what = "allocates on another device than it is asked for",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_elsewhere = When::Always(); },
}};

const RegisterMutant kAllocatesSigned{{
    .name = "allocates-the-other-signedness",
    .rules = {"XAPI-ALLOC-03"},
    .what = "allocates signed integers for unsigned ones, and the other way round",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_signed = true; },
}};

const RegisterMutant kAllocatesReadOnly{{
    .name = "allocates-read-only",
    .rules = {"XAPI-ALLOC-03"},
    .what = "flags what it allocated as read-only",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_read_only = true; },
}};

const RegisterMutant kReadsPrototypeStrides{{
    .name = "reads-strides-of-the-prototype",
    .rules = {"XAPI-ALLOC-01"},
    .what = "reads the strides of a prototype, which mean nothing",
    .apply = [](Behaviour& behaviour) { behaviour.table.reads_prototype_strides = When::Always(); },
}};

const RegisterMutant kWritesPrototype{{
    .name = "writes-to-the-prototype",
    .rules = {"XAPI-ALLOC-09"},
    .what = "changes an extent of the prototype",
    .apply = [](Behaviour& behaviour) { behaviour.table.writes_prototype = When::Always(); },
}};

const RegisterMutant kReportsSuccess{{
    .name = "reports-success-as-an-error",
    .rules = {"XAPI-ALLOC-05"},
    .what = "calls SetError although it allocated the tensor",
    .apply = [](Behaviour& behaviour) { behaviour.table.reports_success = true; },
}};

const RegisterMutant kFailsToReport{{
    .name = "allocates-nothing-and-says-nothing",
    .rules = {"XAPI-ALLOC-05"},
    .what = "fails to allocate without a call of SetError",
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
    .what = "passes NULL as SetError's context",
    .apply = [](Behaviour& behaviour) { behaviour.table.reports_to_others = true; },
}};

const RegisterMutant kReportsWithoutWords{{
    .name = "reports-without-words",
    .rules = {"XAPI-ALLOC-06"},
    .what = "passes NULL for the texts of SetError",
    .apply = [](Behaviour& behaviour) { behaviour.table.reports_without_words = true; },
}};

const RegisterMutant kHidesFailure{{
    .name = "hides-a-failed-allocation",
    .rules = {"XAPI-ALLOC-08"},
    .what = "returns 0 where it allocated nothing",
    .apply = [](Behaviour& behaviour) { behaviour.table.hides_failures = 3; },
}};

const RegisterMutant kAllocatorThrows{{
    .name = "allocator-throws",
    .rules = {"XAPI-RET-03"},
    .what = "lets a C++ exception escape from an allocator that fails",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kThrows, kAllocator}; },
}};

const RegisterMutant kViewsThrow{{
    .name = "views-throw",
    .rules = {"XAPI-RET-03"},
    .what = "lets a C++ exception escape from every view",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kAlwaysThrows, kView}; },
}};

const RegisterMutant kForgetsForeignStreams{{
    .name = "forgets-streams-of-other-devices",
    .rules = {"XAPI-STREAM-05", "XAPI-RET-04"},
    .what = "returns 0 and names no work stream of a device that it does not serve",
    .apply = [](Behaviour& behaviour) { behaviour.table.forgets_foreign = true; },
}};

const RegisterMutant kReadsForeignStreams{{
    .name = "reads-streams-of-other-devices",
    .rules = {"XAPI-STREAM-05"},
    .what = "reads what should be the handle of a device that it does not serve",
    .apply = [](Behaviour& behaviour) { behaviour.table.reads_foreign = true; },
}};

const RegisterMutant kHasAnOddView{{
    .name = "has-an-odd-view",
    .rules = {"XAPI-TAB-04"},
    .what = "has 1 in the place of dltensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.odd_view = true; },
}};

const RegisterMutant kAllocatesTurned{{
    .name = "allocates-column-major",
    .conforming = true,
    .rules = {"XAPI-ALLOC-10", "XAPI-ALLOC-03"},
    .what = "allocates column-major tensors",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_turned = true; },
}};

const RegisterMutant kAllocatesOne{{
    .name = "allocates-one-element",
    .rules = {"XAPI-ALLOC-10"},
    .what = "allocates tensors all of whose elements are one",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_one = true; },
}};

const RegisterMutant kAllocatesOneRow{{
    .name = "allocates-one-row",
    .rules = {"XAPI-ALLOC-10"},
    .what = "allocates one row for all",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_one_row = true; },
}};

const RegisterMutant kTableExportsObjects{{
    .name = "table-exports-objects",
    .rules = {"XAPI-FROM-02"},
    .what = "exports arrays of Python objects through the table as numbers",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_oddities = 1u << static_cast<int>(Oddity::kObject); },
}};

const RegisterMutant kTableRaisesRuntimeError{{
    .name = "table-raises-runtime-error",
    .rules = {"XAPI-FROM-02"},
    .what = "raises RuntimeError where the table cannot export an array",
    .apply = [](Behaviour& behaviour) { behaviour.table.error = ErrorClass::kRuntimeError; },
}};

const RegisterMutant kHasAnOddHeader{{
    .name = "has-an-odd-header",
    .rules = {"XAPI-VER-05"},
    .what = "has prev_api in front of the version in the header of its table",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.odd_header = true; },
}};

const RegisterMutant kPublishesAnIntegerForSubclasses{{
    .name = "publishes-an-integer-for-subclasses",
    .rules = {"XAPI-DISC-02"},
    .what = "has an int under the name of 1.3 on a subclass of its type",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.subclass_integer = true; },
}};

const RegisterMutant kTableRefusesQuietly{{
    .name = "table-refuses-quietly",
    .rules = {"XAPI-RET-02"},
    .what = "refuses to export through the table without an exception",
    .apply = [](Behaviour& behaviour) { behaviour.table.refuses_quietly = true; },
}};

const RegisterMutant kTableRefusesWithNull{{
    .name = "table-refuses-with-null",
    .rules = {"XAPI-RET-04"},
    .what = "returns 0, and gives NULL for what it cannot export through the table",
    .apply = [](Behaviour& behaviour) { behaviour.table.refuses_with_null = true; },
}};

const RegisterMutant kViewsRefuseQuietly{{
    .name = "views-refuse-quietly",
    .rules = {"XAPI-RET-02"},
    .what = "refuses to describe an array in a view without an exception",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_refuse_quietly = true; },
}};

const RegisterMutant kTableExportsUnpadded{{
    .name = "table-exports-unpadded",
    .rules = {"XAPI-FROM-05", "C-SUBBYTE-06"},
    .what = "leaves out the flag of padded elements in tensors of the table",
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
    .what = "exports copies of arrays that begin inside a byte through the table, and does not say so",
    .apply = [](Behaviour& behaviour) { behaviour.table.copies_inside_bytes = true; },
}};

const RegisterMutant kTableExportsOfSubclassesStay{{
    .name = "table-exports-of-subclasses-stay",
    .rules = {"XAPI-FROM-01"},
    .what = "keeps a reference to each array of a subclass that is exported through the table",
    .apply = [](Behaviour& behaviour) { behaviour.table.leaks_subclasses = true; },
}};

const RegisterMutant kDeletedTableExportsStay{{
    .name = "deleted-exports-of-the-table-stay",
    .rules = {"XAPI-FROM-01"},
    .what = "keeps memory of each tensor of the table that is deleted",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_stay = true; },
}};

const RegisterMutant kTableExportsShareShapes{{
    .name = "table-exports-share-their-shapes",
    .rules = {"C-OWN-11", "C-SHAPE-05"},
    .what = "writes the shape of every tensor of the table to one place",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_share_shapes = true; },
}};

const RegisterMutant kViewsShareShapes{{
    .name = "views-share-their-shapes",
    .rules = {"XAPI-DLT-06", "XAPI-DLT-07"},
    .what = "writes the extents of every view to one place",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_share_shapes = true; },
}};

const RegisterMutant kViewsAllocate{{
    .name = "views-allocate",
    .rules = {"XAPI-DLT-02"},
    .what = "allocates memory for each view, which nobody frees",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_stay = When::Always(); },
}};

const RegisterMutant kAllocatesHere{{
    .name = "allocates-here-for-every-device",
    .rules = {"XAPI-ALLOC-02"},
    .what = "allocates on the CPU, whatever device is asked for",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_here = true; },
}};

const RegisterMutant kAllocatesWrapped{{
    .name = "allocates-what-is-left-of-a-product",
    .rules = {"XAPI-ALLOC-03"},
    .what = "allocates as many elements as 64 bits of their number say",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_wrapped = true; },
}};

const RegisterMutant kForgetsLanes{{
    .name = "allocates-one-lane-of-vectors",
    .rules = {"XAPI-ALLOC-03"},
    .what = "allocates memory for one lane of each vector",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.vectors = Vectors::kKept;
          behaviour.table.forgets_lanes = true;
        },
}};

const RegisterMutant kRoundsBitsDown{{
    .name = "allocates-whole-bytes-alone",
    .rules = {"XAPI-ALLOC-03"},
    .what = "allocates nothing for elements that fill no byte",
    .apply = [](Behaviour& behaviour) { behaviour.table.rounds_bits_down = true; },
}};

const RegisterMutant kDeletedAllocationsStay{{
    .name = "deleted-allocations-stay",
    .rules = {"XAPI-ALLOC-02"},
    .what = "keeps memory of each allocation of two dimensions or more that is deleted",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocated_stays = When::RankAtLeast(2); },
}};

const RegisterMutant kAllocationsNeedTheGil{{
    .name = "allocations-need-the-gil",
    .rules = {"C-OWN-12", "PY-THREAD-01"},
    .what = "asks Python for an exception in the deleter of what it allocated, without taking the GIL",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocated_needs_gil = When::Always(); },
}};

}  // namespace
}  // namespace dlpack_cts
