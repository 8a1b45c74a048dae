// mutants/subtle-xapi.cc: second mutants of rules on the exchange table: defects that show in one place only.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kKeepsThePrototypeOfMatrices{{
    .name = "keeps-the-prototype-of-matrices",
    .rules = {"C-OWN-17", "XAPI-ALLOC-03", "XAPI-ALLOC-04"},
    .what = "returns 2-dimensional allocated tensors whose shape points into the prototype",
    .apply = [](Behaviour& behaviour) { behaviour.table.keeps_prototype = When::Rank(2); },
}};

const RegisterMutant kReadsStridesOfPrototypesOfCubes{{
    .name = "reads-strides-of-prototypes-of-cubes",
    .rules = {"XAPI-ALLOC-01"},
    .what = "reads strides of 3-dimensional prototypes in its allocator",
    .apply = [](Behaviour& behaviour) { behaviour.table.reads_prototype_strides = When::Rank(3); },
}};

const RegisterMutant kAllocatesScalarsElsewhere{{
    .name = "allocates-scalars-elsewhere",
    .rules = {"XAPI-ALLOC-02"},
    .what = "sets device kDLCUDAHost on 0-dimensional allocated tensors",
    .apply = [](Behaviour& behaviour) { behaviour.table.allocates_elsewhere = When::Scalar(); },
}};

const RegisterMutant kHidesAllocationsThatAreTooLarge{{
    .name = "hides-allocations-that-are-too-large",
    .rules = {"XAPI-ALLOC-08"},
    .what = "returns 0 from its allocator if there is not enough memory",
    .apply = [](Behaviour& behaviour) { behaviour.table.hides_failures = 2; },
}};

const RegisterMutant kWritesToPrototypesOfVectors{{
    .name = "writes-to-prototypes-of-vectors",
    .rules = {"XAPI-ALLOC-09"},
    .what = "changes shape[0] of 1-dimensional prototypes in its allocator",
    .apply = [](Behaviour& behaviour) { behaviour.table.writes_prototype = When::Rank(1); },
}};

const RegisterMutant kMovesItsTableAtLast{{
    .name = "moves-its-table-at-last",
    .rules = {"XAPI-DISC-04"},
    .what = "publishes another table with each new array from the eighth on",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.moves = 8; },
}};

const RegisterMutant kChangesASlotOfItsTable{{
    .name = "changes-a-slot-of-its-table",
    .rules = {"XAPI-DISC-05"},
    .what = "sets dltensor_from_py_object_no_sync of its table to NULL with every second new array",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.changes_slots = true; },
}};

const RegisterMutant kViewsKeepStridedArrays{{
    .name = "views-keep-strided-arrays",
    .rules = {"XAPI-DLT-01"},
    .what = "keeps a reference to each non-compact array after dltensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_leak = When::Strided(); },
}};

const RegisterMutant kViewsTurnShapesOfCubes{{
    .name = "views-turn-shapes-of-cubes",
    .rules = {"XAPI-DLT-02"},
    .what = "returns shape of 3-dimensional arrays in reverse order from dltensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_turn_shapes = When::Rank(3); },
}};

const RegisterMutant kViewsOfMatricesShareTheirStrides{{
    .name = "views-of-matrices-share-their-strides",
    .rules = {"XAPI-DLT-06", "XAPI-DLT-07"},
    .what = "stores the strides of all 2-dimensional DLTensor views in the same memory",
    .apply = [](Behaviour& behaviour) { behaviour.table.views_share_strides = When::Rank(2); },
}};

const RegisterMutant kTableExportsOfViewsStay{{
    .name = "table-exports-of-views-stay",
    .rules = {"XAPI-FROM-01"},
    .what = "keeps a reference to each non-compact array after managed_tensor_from_py_object_no_sync",
    .apply = [](Behaviour& behaviour) { behaviour.table.leaks_arrays = When::Strided(); },
}};

const RegisterMutant kTableExportsReadOnlyAsWritable{{
    .name = "table-exports-read-only-as-writable",
    .rules = {"XAPI-FROM-05"},
    .what = "exports read-only arrays through its table without READ_ONLY",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_writable = When::Always(); },
}};

const RegisterMutant kTableExportsNullStridesOfVectors{{
    .name = "table-exports-null-strides-of-vectors",
    .rules = {"XAPI-FROM-05", "C-STRIDES-01"},
    .what = "exports 1-dimensional arrays through its table with NULL strides",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_null_strides = When::Rank(1); },
}};

const RegisterMutant kTableImportsFailWithOne{{
    .name = "table-imports-fail-with-one",
    .rules = {"XAPI-RET-01"},
    .what = "returns 1 instead of -1 if managed_tensor_to_py_object_no_sync fails",
    .apply = [](Behaviour& behaviour) { behaviour.table.slip = {Slip::How::kFailsWithOne, 2}; },
}};

const RegisterMutant kTableImportsOfScalarsStay{{
    .name = "table-imports-of-scalars-stay",
    .rules = {"XAPI-TO-01"},
    .what = "never calls the deleter of 0-dimensional tensors that it imported through its table",
    .apply = [](Behaviour& behaviour) { behaviour.table.keeps_tensors = When::Scalar(); },
}};

const RegisterMutant kTableReleasesRefusedTypesTwice{{
    .name = "table-releases-refused-types-twice",
    .rules = {"XAPI-TO-05"},
    .what =
        "calls the deleter twice if managed_tensor_to_py_object_no_sync refuses a CPU tensor with an item size above 0",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.table.releases_refused = When::Device(abi::kDLCPU).And(When::ItemSize(0).Not());
        },
}};

const RegisterMutant kTableTurnsCubes{{
    .name = "table-turns-cubes",
    .rules = {"XAPI-USE-04"},
    .what = "exports 3-dimensional arrays through its table with shape and strides in reverse order",
    .apply = [](Behaviour& behaviour) { behaviour.table.turns_exports = When::Rank(3); },
}};

const RegisterMutant kForgetsDevicesForTables{{
    .name = "forgets-devices-for-tables",
    .rules = {"XAPI-USE-05"},
    .what = "ignores device= if the object's type has an exchange table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.forgets_device = true; },
}};

const RegisterMutant kChainsItsOlderTableToItself{{
    .name = "chains-its-older-table-to-itself",
    .rules = {"XAPI-VER-03"},
    .what = "publishes a table whose prev_api leads to an older table, and whose prev_api leads back to itself",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.endless_behind = true; },
}};

const RegisterMutant kChainsALaterTableBehindAnOlderOne{{
    .name = "chains-a-later-table-behind-an-older-one",
    .rules = {"XAPI-VER-04"},
    .what = "publishes a table whose prev_api leads to an older version, and from there to a later one",
    .apply = [](Behaviour& behaviour) { behaviour.table.published.later_last = true; },
}};

const RegisterMutant kTableExportsAnotherMajorOfViews{{
    .name = "table-exports-another-major-of-views",
    .rules = {"XAPI-VER-06"},
    .what = "exports non-compact arrays with version 2.x through its table of version 1.3",
    .apply = [](Behaviour& behaviour) { behaviour.table.exports_other_major = When::Strided(); },
}};

const RegisterMutant kRefusesTablesOfMinorsAbove65535{{
    .name = "refuses-tables-of-minors-above-65535",
    .rules = {"XAPI-VER-07"},
    .what = "refuses objects whose table has a minor version above 65535",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.refused_minor = 0x10000; },
}};

}  // namespace
}  // namespace dlpack_cts
