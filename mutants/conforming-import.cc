// mutants/conforming-import.cc: variants that take, keep or refuse tensors as the rules allow.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kReadsGaps{{
    .name = "reads-gaps",
    .conforming = true,
    .rules = {"C-DATA-11"},
    .what = "reads every byte between the first element and the last, those between elements too",
    .apply = [](Behaviour& behaviour) { behaviour.importing.reads_gaps = When::Always(); },
}};

const RegisterMutant kTakesPinnedMemory{{
    .name = "takes-pinned-memory",
    .conforming = true,
    .rules = {"C-DEVICE-08", "PY-DEVICE-07", "PY-FROM-05", "C-LAYOUT-05"},
    .what = "takes memory that CUDA pinned for what it is, memory of the host",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.accepts = kPathDevice;
          behaviour.refusing.only = When::Device(abi::kDLCUDAHost);
        },
}};

const RegisterMutant kCopiesWhatIsStrided{{
    .name = "copies-what-is-strided",
    .conforming = true,
    .rules = {"C-STRIDES-05", "C-STRIDES-08", "C-STRIDES-09", "C-STRIDES-10", "C-SHAPE-08", "PY-FROM-03"},
    .what = "copies tensors that are not compact unless copy=False was asked for",
    .apply = [](Behaviour& behaviour) { behaviour.importing.copies = When::Strided(); },
}};

const RegisterMutant kKnowsNoReadOnly{{
    .name = "knows-no-read-only",
    .conforming = true,
    .rules = {"C-FLAGS-03", "C-FLAGS-04", "C-FLAGS-12", "XAPI-TO-04"},
    .what = "has no read-only arrays, and ignores READ_ONLY",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.no_read_only = true;
          behaviour.importing.drops_read_only = When::Always();
        },
    .lacks = {Claim::kReadOnly},
}};

const RegisterMutant kRefusesReexports{{
    .name = "refuses-reexports",
    .conforming = true,
    .rules = {"C-FLAGS-12", "C-OWN-18"},
    .what = "exports nothing that was imported",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses = When::Imported(); },
    .lacks = {Claim::kReexport},
}};

const RegisterMutant kCopiesReexports{{
    .name = "copies-reexports",
    .conforming = true,
    .rules = {"C-FLAGS-12", "C-OWN-18"},
    .what = "exports copies of what was imported, and flags them",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.copies = When::Imported(); },
}};

const RegisterMutant kHandsEverythingOn{{
    .name = "hands-everything-on",
    .conforming = true,
    .rules = {"C-DEVICE-06", "C-DEVICE-08", "C-DTYPE-08", "C-DTYPE-09", "C-DTYPE-10", "C-DTYPE-13", "C-LAYOUT-05",
              "C-LAYOUT-06", "C-VERSION-09", "PY-FROM-09"},
    .what =
        "takes tensors of every type and device, shows no elements of those that it does not know, and hands them on",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.having.container = true;
          behaviour.importing.carries_devices = When::Always();
        },
}};

const RegisterMutant kRefusesNegativeStrides{{
    .name = "refuses-negative-strides",
    .conforming = true,
    .rules = {"C-STRIDES-09", "XAPI-TO-04"},
    .what = "refuses negative strides politely",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::Negative().And(When::Empty().Not()); },
}};

const RegisterMutant kRefusesForbiddenNullStrides{{
    .name = "refuses-forbidden-null-strides",
    .conforming = true,
    .rules = {"C-STRIDES-04"},
    .what = "refuses NULL strides where the version forbids them",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::NullStrides().And(When::MinorAtLeast(2)); },
}};

const RegisterMutant kReadsNoLanesAsOne{{
    .name = "reads-no-lanes-as-one",
    .conforming = true,
    .rules = {"C-DTYPE-09"},
    .what = "reads types of 0 lanes as those of one",
    .apply = [](Behaviour& behaviour) { behaviour.importing.ignores_lanes = When::Lanes(0); },
}};

const RegisterMutant kNamesAStreamOfItsOwnToCuda{{
    .name = "names-a-stream-of-its-own-to-cuda",
    .conforming = true,
    .rules = {"PY-STREAM-04", "PY-STREAM-06", "PY-STREAM-12"},
    .what = "passes the handle of a stream of its own to producers on CUDA",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.asking.stream = {ArgumentKind::kInt, {}, 4096, 0};
          behaviour.asking.stream_at = Moment::kForCuda;
        },
}};

const RegisterMutant kHasNoMemoryForBroadcasts{{
    .name = "has-no-memory-for-broadcasts",
    .conforming = true,
    .rules = {"C-STRIDES-10"},
    .what = "raises MemoryError for zero strides",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.importing.refuses = When::Broadcast().And(When::Empty().Not());
          behaviour.refusing.raises = kPathPolite;
          behaviour.refusing.error = ErrorClass::kMemoryError;
        },
}};

const RegisterMutant kTakesExtentsOfAnySize{{
    .name = "takes-extents-of-any-size",
    .conforming = true,
    .rules = {"C-SHAPE-09"},
    .what = "computes no size of what it takes, and cannot show the elements of what has none",
    .apply = [](Behaviour& behaviour) { behaviour.refusing.accepts = kPathExtents; },
}};

const RegisterMutant kRefusesFarOffsets{{
    .name = "refuses-far-offsets",
    .conforming = true,
    .rules = {"C-DATA-09"},
    .what = "refuses a byte_offset of 2^31 and more",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::OffsetAtLeast(uint64_t{1} << 31); },
}};

const RegisterMutant kRefusesBroadcasts{{
    .name = "refuses-broadcasts",
    .conforming = true,
    .rules = {"C-STRIDES-10"},
    .what = "refuses zero strides politely",
    .apply = [](Behaviour& behaviour) { behaviour.importing.refuses = When::Broadcast().And(When::Empty().Not()); },
}};

const RegisterMutant kKnowsATypeOfALaterMinor{{
    .name = "knows-a-type-of-a-later-minor",
    .conforming = true,
    .rules = {"C-VERSION-09"},
    .what = "knows code 255 of version 1.4, which is a type of any width there",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.accepts = kPathDtype;
          behaviour.refusing.only = When::Code(255).And(When::MinorAtLeast(4));
        },
}};

const RegisterMutant kHasFloatsOfAnyWidth{{
    .name = "has-floats-of-any-width",
    .conforming = true,
    .rules = {"C-DTYPE-13"},
    .what = "has IEEE floats of any width, and takes them for what they are",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.refusing.accepts = kPathDtype;
          behaviour.refusing.only = When::Code(abi::kDLFloat);
        },
}};

const RegisterMutant kTakesRawBytes{{
    .name = "takes-raw-bytes",
    .conforming = true,
    .rules = {"C-DTYPE-08", "C-DTYPE-13"},
    .what = "makes arrays of raw bytes of types that it does not know, and exports none of them",
    .apply = [](Behaviour& behaviour) { behaviour.having.raw_bytes = true; },
}};

const RegisterMutant kCarriesNull{{
    .name = "carries-null",
    .conforming = true,
    .rules = {"C-DATA-08"},
    .what = "takes elements whose data is NULL, says so and never looks for them",
    .apply = [](Behaviour& behaviour) { behaviour.importing.carries_null = When::Always(); },
}};

const RegisterMutant kTakesIntegersForTables{{
    .name = "takes-integers-for-tables",
    .conforming = true,
    .rules = {"XAPI-DISC-08"},
    .what = "takes an int under the name of 1.3 for the address of a table, as 1.2 had it",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.takes_integers = true; },
}};

const RegisterMutant kCopiesWhatViewsShow{{
    .name = "copies-what-views-show",
    .conforming = true,
    .rules = {"XAPI-DLT-01"},
    .what = "where copy=True is given, copies what a view of the exchange table shows, and takes no tensor",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.copies_views = true; },
}};

const RegisterMutant kTakesTablesOnly{{
    .name = "takes-objects-for-their-table",
    .conforming = true,
    .rules = {"XAPI-DISC-09"},
    .what = "takes bare capsules, and no objects but those whose type has an exchange table",
    .apply = [](Behaviour& behaviour) { behaviour.consulting.tables_only = true; },
}};

}  // namespace
}  // namespace dlpack_cts
