// harness/recipe/ops.cc: the table of the operations of a life.
#include "harness/recipe/ops.h"

#include <string_view>

#include "harness/recipe/often.h"
#include "harness/recipe/passed.h"
#include "harness/recipe/together.h"

namespace dlpack_cts {
namespace {

using enum OpTrait;

// ---- Arguments that are enumerations.

constexpr Named kKept[] = {
    {},
    {.sentence = "kept as a view",
     .id = "kept-as-view",
     .statement = "the library keeps only a view of the array that it made"},
    {.sentence = "kept as a view of a view",
     .id = "kept-as-view-of-view",
     .statement = "the library keeps only a view of a view of the array that it made"},
};
constexpr Named kChanges[] = {{.sentence = "reshape"}, {.sentence = "transpose"}, {.sentence = "resize"}};
constexpr Named kStreamDevices[] = {{}, {.sentence = "of an undefined device"}, {.sentence = "of the array's device"}};

constexpr EnumTable<Closing> kClosings = {{
    {Closing::kAlone},
    {Closing::kKeepsView, "", "and a view of it is kept", "view-of-closed", "a view of the closed array is kept"},
    {Closing::kOfView, "", "through a view of it", "closed-view",
     "a view of the array is closed, and the array is kept"},
}};
constexpr EnumTable<Closing> kSourceClosings = {{
    {Closing::kAlone},
    {Closing::kKeepsView, "", "and a view of it is kept", "view-of-closed-source",
     "a view of the array that was made and closed is kept"},
    {Closing::kOfView, "", "through a view of it", "closed-view-of-source",
     "a view of the array that was made is closed, and the array is kept"},
}};
constexpr EnumTable<Prototype> kPrototypes = {{
    {Prototype::kGood},
    {Prototype::kForeignType, "", "with an undefined dtype code"},
    {Prototype::kForeignDevice, "", "with an undefined device type"},
    {Prototype::kNegativeExtent, "", "with an extent of -1"},
    {Prototype::kHuge, "", "of 2^60 elements or more"},
}};
constexpr EnumTable<Passed> kPassed = {{
    {Passed::kArray},
    {Passed::kInteger, "", "which gets an int instead", "passed-int", "a function of the table gets an int"},
    {Passed::kNone, "", "which gets None instead", "passed-none", "a function of the table gets None"},
    {Passed::kObject, "", "which gets object() instead", "passed-object", "a function of the table gets object()"},
    {Passed::kClass, "", "which gets the class of the array instead", "passed-class",
     "a function of the table gets the class of the array"},
}};
constexpr EnumTable<Passed> kPassedToView = {{
    {Passed::kArray},
    {Passed::kInteger, "", "which gets an int instead", "viewed-int", "a view is made of an int"},
    {Passed::kNone, "", "which gets None instead", "viewed-none", "a view is made of None"},
    {Passed::kObject, "", "which gets object() instead", "viewed-object", "a view is made of object()"},
    {Passed::kClass, "", "which gets the class of the array instead", "viewed-class",
     "a view is made of the class of the array"},
}};
constexpr EnumTable<Often> kOften = {{
    {Often::kDeleted, "", "each deleted"},
    {Often::kUnused, "", "each capsule destroyed unused", "often-unused", "export-often destroys each capsule unused"},
    {Often::kTableExport, "", "each by managed_tensor_from_py_object_no_sync", "often-by-table",
     "export-often exports by managed_tensor_from_py_object_no_sync"},
    {Often::kTableView, "", "each by dltensor_from_py_object_no_sync", "often-viewed",
     "export-often makes views by dltensor_from_py_object_no_sync"},
    {Often::kTableAllocate, "", "each by managed_tensor_allocator", "often-allocated",
     "export-often allocates by managed_tensor_allocator"},
}};
constexpr EnumTable<Beside> kBeside = {{
    {Beside::kNothing},
    {Beside::kImports, "", "while a thread imports the array", "beside-imports",
     "a thread imports the array while others export it"},
    {Beside::kChangesMetadata, "", "while a thread changes the array in place", "beside-changes",
     "a thread changes the array in place while others export it"},
    {Beside::kMany, "", "hundreds at once by one thread", "many-exports",
     "hundreds of exports of one thread are alive at once"},
    {Beside::kManyArrays, "", "hundreds of arrays at once by one thread", "many-arrays",
     "exports of hundreds of arrays are alive at once"},
    {Beside::kManyByTable, "", "hundreds of arrays at once by managed_tensor_from_py_object_no_sync", "many-by-table",
     "hundreds of exports by managed_tensor_from_py_object_no_sync are alive at once"},
    {Beside::kManyViews, "", "hundreds of arrays at once by dltensor_from_py_object_no_sync", "many-views",
     "hundreds of views by dltensor_from_py_object_no_sync are valid at once"},
    {Beside::kManyAllocations, "", "hundreds at once by managed_tensor_allocator", "many-allocations",
     "hundreds of tensors from managed_tensor_allocator are alive at once"},
}};
constexpr EnumTable<Sharing> kSharing = {{
    {Sharing::kNothing},
    {Sharing::kOneCapsule, "", "from one producer that returns one capsule", "one-capsule",
     "several threads import one producer, which returns one capsule"},
    {Sharing::kOneBare, "", "from one bare capsule", "one-bare-capsule", "several threads import one bare capsule"},
    {Sharing::kMany, "", "hundreds of tensors by one thread", "many-imports",
     "hundreds of imported arrays are alive at once"},
    {Sharing::kManyBare, "", "hundreds of bare capsules by one thread", "many-bare-imports",
     "hundreds of arrays from bare capsules are alive at once"},
    {Sharing::kFar, "", "tensors whose elements are up to 4 GiB apart, by one thread", "far-elements",
     "the elements of the tensor are up to 4 GiB apart"},
    {Sharing::kFarBare, "", "bare capsules with elements up to 4 GiB apart, by one thread", "far-bare-elements",
     "the elements of the tensor in a bare capsule are up to 4 GiB apart"},
    {Sharing::kReexports, "", "one tensor, whose array is exported hundreds of times at once, by one thread",
     "many-reexports", "hundreds of exports of one imported array are alive at once"},
    {Sharing::kReexportsBare, "", "one bare capsule, whose array is exported hundreds of times at once, by one thread",
     "many-bare-reexports", "hundreds of exports of the array from one bare capsule are alive at once"},
    {Sharing::kManyByTable, "", "hundreds of tensors by managed_tensor_to_py_object_no_sync", "many-table-imports",
     "hundreds of arrays from managed_tensor_to_py_object_no_sync are alive at once"},
    {Sharing::kFarByTable, "", "tensors whose elements are up to 4 GiB apart, by managed_tensor_to_py_object_no_sync",
     "far-table-elements", "the elements of the tensor for managed_tensor_to_py_object_no_sync are up to 4 GiB apart"},
}};

// ---- Facts that only some operations record, by the beginnings of their keys. Any step may record the other facts.

constexpr std::string_view kOutcome = "import.outcome import.exception import.is_ import.message";
constexpr std::string_view kCapsule = "import.name_before import.capsules import.call";
constexpr std::string_view kDescription =
    "import.dtype import.ndim import.shape import.strides import.writable import.device import.has_pointer "
    "import.place import.aliases";
constexpr std::string_view kStruct = "export. export.elements export.data_readable";

// ---- The operations.

constexpr std::array<OpRow, kEnumerators<Op>> kRows = {{
    {Op::kEnd, "end", "nothing is done", kPlainImport | kPlainExport | kTouchesRelease,
     "export.deleted source.alive_at_end"},
    {Op::kImport, "import", "a tensor is imported with from_dlpack",
     kPlainImport | kPassesKeywords | kImportSide | kTakesOffer | kFillsSlot | kOtherIsAddress, kCapsule, kOutcome},
    {Op::kImportCapsule, "import-capsule", "a bare capsule is passed to from_dlpack",
     kPassesKeywords | kImportSide | kTakesOffer | kFillsSlot | kOtherIsAddress, kCapsule, kOutcome},
    {Op::kImportAgain, "import-again", "from_dlpack is called again with the same producer or capsule",
     kPassesKeywords | kImportSide, kCapsule, "import.again import.name_after_again"},
    {Op::kDescribe, "describe", "the metadata of the imported array is read",
     kPlainImport | kFuzzedImport | kOnlyReads | kNeedsNoExchange | kImportSide | kTouchesElements, kDescription},
    {Op::kRead, "read", "the elements of the imported array are read",
     kPlainImport | kFuzzedImport | kOnlyReads | kUsesElements | kNeedsNoExchange | kImportSide | kTouchesElements,
     kDescription, "import.memory import.library"},
    {Op::kCompute, "compute", "the library computes with the imported array",
     kPlainImport | kFuzzedImport | kOnlyReads | kUsesElements | kNeedsNoExchange | kImportSide | kTouchesElements,
     kDescription, "import.computed"},
    {Op::kWriteSource, "write-source", "an element is written on the producer's side after an import",
     kWrites | kNeedsNoExchange | kTouchesElements | kScriptedArgument, "import.write_source"},
    {Op::kWriteArray, "write-array", "an element is written through the imported array",
     kUsesElements | kWrites | kNeedsNoExchange | kImportSide | kTouchesElements | kScriptedArgument,
     "import.write_array"},
    {Op::kTakeView, "take-view", "only a view of the imported array is kept",
     kFuzzedImport | kUsesElements | kNeedsNoExchange | kImportSide | kTouchesElements, kDescription, "import.view"},
    {Op::kReexport, "reexport", "the imported array is exported again", kPassesKeywords | kExportSide | kFillsOther,
     kStruct},
    {Op::kDropArray, "drop-array", "the imported array is dropped",
     kPlainImport | kFuzzedImport | kLetsGo | kImportSide | kTouchesRelease},
    {Op::kDropCapsule, "drop-capsule", "dlpack-cts drops its reference to the imported capsule",
     kFuzzedImport | kLetsGo | kTouchesRelease},
    {Op::kDropProducer, "drop-producer", "the producer object is dropped",
     kPlainImport | kFuzzedImport | kLetsGo | kTouchesRelease},
    {Op::kCollect, "collect", "garbage is collected",
     kPlainImport | kPlainExport | kFuzzedImport | kFuzzedExport | kTouchesRelease | kScriptedAlone},
    {Op::kMake, "make", "the library makes an array",
     kPlainExport | kNeedsNoExchange | kExportSide | kTakesRequest | kFillsSlot | kScriptedAlone, "source.", "", kKept,
     "kept"},
    {Op::kExport, "export", "the array is exported with __dlpack__",
     kPlainExport | kFuzzedExport | kPassesKeywords | kOfExport | kExportSide | kFillsSlot, kStruct,
     "export.follows_change source.references_gained"},
    {Op::kAskDevice, "ask-device", "__dlpack_device__ is called",
     kPlainExport | kFuzzedExport | kOnlyReads | kScriptedAlone, "source.device_ source.reported_device"},
    {Op::kInspect, "inspect", "the exported struct is read again",
     kPlainExport | kFuzzedExport | kOnlyLooks | kOnlyReads | kOfExport | kExportSide | kTouchesElements,
     "export.changed"},
    {Op::kReadExport, "read-export", "the elements are read through the exported struct",
     kPlainExport | kFuzzedExport | kOnlyLooks | kOnlyReads | kUsesElements | kOfExport | kExportSide |
         kTouchesElements,
     "export.elements export.data_readable"},
    {Op::kWriteExport, "write-export", "an element is written through the exported struct",
     kUsesElements | kWrites | kOfExport | kNeedsNoExchange | kExportSide | kTouchesElements | kScriptedArgument,
     "export.write_export"},
    {Op::kDropSource, "drop-source", "the array that was made is dropped",
     kPlainExport | kFuzzedExport | kTouchesRelease | kScriptedAlone},
    {Op::kChangeMetadata, "change-metadata", "the array is reshaped, transposed or resized in place",
     kNeedsNoExchange | kScriptedArgument, "source.change", "", kChanges},
    {Op::kTakeCapsule, "take-capsule", "the exported capsule is renamed, as a consumer does",
     kPlainExport | kFuzzedExport | kOfExport | kExportSide},
    {Op::kDelete, "delete", "the deleter of the exported tensor is called",
     kPlainExport | kFuzzedExport | kLetsGo | kOfExport | kExportSide | kTouchesRelease,
     "export.left_exception export.frees_without_gil export.survives_"},
    {Op::kLoseCapsule, "lose-capsule",
     "the exported capsule is destroyed; without take-capsule before it, the capsule was not consumed",
     kFuzzedExport | kLetsGo | kOfExport | kExportSide | kTouchesRelease},
    {Op::kReadSource, "read-source", "the elements of the array that was made are read again",
     kPlainExport | kFuzzedExport | kOnlyReads | kNeedsNoExchange | kTouchesElements | kScriptedAlone,
     "source.elements"},
    {Op::kUseSource, "use-source", "the library computes with the array that was made",
     kFuzzedExport | kNeedsNoExchange | kTouchesElements | kScriptedAlone, "source.used"},
    {Op::kImportSource, "import-source", "the array that was made is passed to from_dlpack",
     kPassesKeywords | kImportSide | kFillsSlot, kOutcome},
    {Op::kTableFind, "table-find", "the C exchange table of the array's type is looked up", kFillsSlot | kUnscripted},
    {Op::kTableExport, "table-export", "the array is exported with managed_tensor_from_py_object_no_sync",
     kOfExport | kExportSide | kFillsSlot, kStruct, "", kPassed.all(), "passed"},
    {Op::kTableImport, "table-import", "a tensor is imported with managed_tensor_to_py_object_no_sync",
     kImportSide | kTakesOffer | kFillsSlot, kOutcome, "import.stays"},
    {Op::kTableView, "table-view", "the array is viewed with dltensor_from_py_object_no_sync",
     kOfExport | kExportSide | kFillsSlot | kUnscripted, "", "", kPassedToView.all(), "viewed"},
    {Op::kTableAllocate, "table-allocate", "a tensor is allocated with managed_tensor_allocator",
     kOfExport | kExportSide | kTakesRequest | kFillsSlot | kUnscripted, "", "", kPrototypes.all()},
    {Op::kTableStream, "table-stream", "current_work_stream is called", kFillsSlot | kUnscripted, "", "",
     kStreamDevices},
    {Op::kExportOften, "export-often", "many more arrays are made and exported, one after another",
     kTakesLong | kOfExport | kExportSide | kTouchesRelease | kScriptedArgument, "source.kept_", "", kOften.all(),
     "often"},
    {Op::kExportTogether, "export-together", "many exports are made at once, by several threads or by one",
     kPassesKeywords | kRaces | kTakesLong | kOfExport | kExportSide | kTouchesRelease | kUnscripted, "", "",
     kBeside.all(), "together"},
    {Op::kImportTogether, "import-together", "several threads import at the same time",
     kPassesKeywords | kRaces | kTakesLong | kImportSide | kTakesOffer | kFillsSlot | kTouchesRelease | kUnscripted, "",
     "", kSharing.all(), "together"},
    {Op::kAskArray, "ask-array", "__dlpack_device__ of the imported array is called", kOnlyReads | kExportSide,
     "source.device_ source.reported_device"},
    {Op::kCountImports, "count-imports", "many more such tensors are imported, and references are counted",
     kPassesKeywords | kTakesLong | kImportSide | kTouchesRelease, "import.references."},
    {Op::kCountExports, "count-exports", "the array is exported many more times, and references are counted",
     kPassesKeywords | kTakesLong | kOfExport | kExportSide | kTouchesRelease, "export.references."},
    {Op::kCloseArray, "close-array", "the imported array is closed", kImportSide | kTouchesRelease | kScriptedArgument,
     "import.closed", "", kClosings.all(), "closing"},
    {Op::kCloseSource, "close-source", "the array that was made is closed", kTouchesRelease | kScriptedArgument,
     "source.closed", "", kSourceClosings.all(), "closing-source"},
    {Op::kImportByTable, "import-by-table", "a tensor is imported with the adapter's from_exchange",
     kImportSide | kTakesOffer | kFillsSlot | kUnscripted, kCapsule, kOutcome},
    {Op::kPeek, "peek", "the metadata of a tensor are read with the adapter's peek",
     kImportSide | kTakesOffer | kFillsSlot | kUnscripted, kDescription, kOutcome},
    {Op::kDescribeSource, "describe-source", "the metadata of the array that was made are read again",
     kOnlyReads | kNeedsNoExchange | kTouchesElements | kScriptedAlone, "source.changed"},
    {Op::kWriteMade, "write-made", "the library writes an element of the array that it made",
     kWrites | kNeedsNoExchange | kTouchesElements | kScriptedArgument, "source.write source.first_write"},
}};

/// The words. Checks that each operation has the row of its number, and a word of its own.
consteval std::array<std::string_view, kRows.size()> Words() {
  std::array<std::string_view, kRows.size()> words;
  for (size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<size_t>(kRows[i].op) != i) throw "a row is missing, or in the wrong place";
    if (kRows[i].word.empty() || kRows[i].statement.empty()) throw "an operation lacks its word or its statement";
    for (size_t j = 0; j < i; ++j) {
      if (kRows[j].word == kRows[i].word) throw "two operations have the same word";
    }
    words[i] = kRows[i].word;
  }
  return words;
}

}  // namespace

constinit const std::array<OpRow, kEnumerators<Op>> kOpRows = kRows;
constinit const std::array<std::string_view, kEnumerators<Op>> kOpWords = Words();

const Named* ArgumentOf(const Step& step) {
  const std::span<const Named> arguments = RowOf(step.op).arguments;
  return arguments.empty() ? nullptr : &arguments[static_cast<size_t>(step.argument) % arguments.size()];
}

}  // namespace dlpack_cts
