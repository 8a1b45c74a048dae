// mutants/py-dlpack.cc: mutants of the chapter on __dlpack__.
#include "mutants/mutant.h"

namespace dlpack_cts {
namespace {

const RegisterMutant kKnowsStreamAlone{{
    .name = "knows-stream-alone",
    .rules = {"PY-DLPACK-01"},
    .what = "accepts no keyword except stream",
    .apply = [](Behaviour& behaviour) { behaviour.answering.only_stream = true; },
}};

const RegisterMutant kKnowsNoStream{{
    .name = "knows-no-stream",
    .rules = {"PY-DLPACK-01"},
    .what = "does not accept the keyword stream",
    .apply = [](Behaviour& behaviour) { behaviour.answering.no_stream = true; },
}};

const RegisterMutant kComparesNamesByAddress{{
    .name = "compares-names-by-address",
    .rules = {"PY-DLPACK-01"},
    .what = "compares keyword names by address",
    .apply = [](Behaviour& behaviour) { behaviour.answering.compares_addresses = true; },
}};

const RegisterMutant kOverlooksNamesElsewhere{{
    .name = "overlooks-names-at-another-address",
    .rules = {"PY-DLPACK-01"},
    .what = "ignores max_version if its name is an equal string at another address",
    .apply = [](Behaviour& behaviour) { behaviour.answering.overlooks_copies_of_names = true; },
}};

const RegisterMutant kReturnsBytes{{
    .name = "returns-bytes",
    .rules = {"PY-DLPACK-02"},
    .what = "returns bytes instead of a capsule",
    .apply = [](Behaviour& behaviour) { behaviour.capsule.returns_other = When::Always(); },
}};

const RegisterMutant kRaisesRuntimeErrorsForExports{{
    .name = "raises-runtime-errors-for-exports",
    .rules = {"PY-DLPACK-03", "PY-DLPACK-10"},
    .what = "refuses exports with RuntimeError",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.error = ErrorClass::kRuntimeError; },
}};

const RegisterMutant kExportsDates{{
    .name = "exports-dates-as-numbers",
    .rules = {"PY-DLPACK-03"},
    .what = "exports date arrays as their stored integers",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kDate); },
}};

const RegisterMutant kExportsText{{
    .name = "exports-text-as-numbers",
    .rules = {"PY-DLPACK-03"},
    .what = "exports text arrays as their character codes",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.exports_oddities = Bit(Oddity::kText); },
}};

const RegisterMutant kIgnoresCopy{{
    .name = "ignores-copy",
    .rules = {"PY-DLPACK-04"},
    .what = "ignores every value of copy",
    .apply = [](Behaviour& behaviour) { behaviour.answering.ignores_copy = true; },
}};

const RegisterMutant kIgnoresDlDevice{{
    .name = "ignores-dl-device",
    .rules = {"PY-DLPACK-04", "PY-DLDEVICE-03"},
    .what = "ignores every value of dl_device",
    .apply = [](Behaviour& behaviour) { behaviour.answering.dl_device.ignores = kDeviceAny; },
}};

const RegisterMutant kSwallowsKeywords{{
    .name = "swallows-keywords",
    .rules = {"PY-DLPACK-05"},
    .what = "ignores unknown keywords",
    .apply = [](Behaviour& behaviour) { behaviour.answering.swallows_keywords = When::Always(); },
}};

const RegisterMutant kExportsChangeAnElement{{
    .name = "exports-change-an-element",
    .rules = {"PY-DLPACK-06"},
    .what = "flips a bit of element 0 on export",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.mutates_source = When::Always(); },
}};

const RegisterMutant kExportsTransposeTheArray{{
    .name = "exports-transpose-the-array",
    .rules = {"PY-DLPACK-06"},
    .what = "transposes 2-dimensional arrays in place when it exports them",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.transposes_source = When::Rank(2); },
}};

const RegisterMutant kExportsLockTheArray{{
    .name = "exports-lock-the-array",
    .rules = {"PY-DLPACK-06"},
    .what = "makes an array unreadable when it exports it",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.locks_source = When::Always(); },
}};

const RegisterMutant kExportsTheAddressOfTheStore{{
    .name = "exports-the-address-of-the-store",
    .rules = {"PY-DLPACK-07", "C-DATA-14"},
    .what = "exports non-compact arrays with the start of the allocation as data",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.base_pointer = When::Strided(); },
}};

const RegisterMutant kRefusesComplex{{
    .name = "refuses-complex",
    .rules = {"PY-DLPACK-08"},
    .what = "refuses to export complex arrays",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses = When::Code(abi::kDLComplex); },
}};

const RegisterMutant kRaisesForTheDevice{{
    .name = "raises-for-the-device",
    .rules = {"PY-DLPACK-09"},
    .what = "raises RuntimeError in __dlpack_device__",
    .apply = [](Behaviour& behaviour) { behaviour.answering.device_raises = When::Always(); },
}};

const RegisterMutant kRefusedExportsLeak{{
    .name = "refused-exports-leak",
    .rules = {"PY-DLPACK-12"},
    .what = "keeps a reference to each array that it refuses to export",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.leaks_when_refusing = When::Always(); },
}};

const RegisterMutant kOddVersionsLeak{{
    .name = "odd-versions-leak",
    .rules = {"PY-DLPACK-12"},
    .what = "keeps a reference to the array if max_version is not a tuple of two",
    .apply = [](Behaviour& behaviour) { behaviour.answering.odd_version_leaks = true; },
}};

const RegisterMutant kLongDoubleAborts{{
    .name = "long-double-aborts",
    .rules = {"PY-DLPACK-13"},
    .what = "aborts when it exports a long double array",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.odd_acts = Bit(Oddity::kLongDouble);
          behaviour.exporting.manner = Manner::kAborts;
        },
}};

const RegisterMutant kObjectsHang{{
    .name = "objects-hang",
    .rules = {"PY-DLPACK-13"},
    .what = "hangs when it exports an array of Python objects",
    .apply =
        [](Behaviour& behaviour) {
          behaviour.exporting.odd_acts = Bit(Oddity::kObject);
          behaviour.exporting.manner = Manner::kHangs;
        },
}};

const RegisterMutant kExportsScalarsOnce{{
    .name = "exports-scalars-once",
    .rules = {"PY-DLPACK-06"},
    .what = "refuses every export of a 0-dimensional array after the first",
    .apply = [](Behaviour& behaviour) { behaviour.exporting.refuses_again = When::Scalar(); },
}};

}  // namespace
}  // namespace dlpack_cts
