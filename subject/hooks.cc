// subject/hooks.cc: the rows of the functions of adapters and plug-ins.
#include "subject/hooks.h"

#include <algorithm>
#include <iterator>

#include "subject/plugin.h"

namespace dlpack_cts {
namespace {

constexpr uint32_t kInPlace =
    ClaimBit(Claim::kReshapeInPlace) | ClaimBit(Claim::kTransposeInPlace) | ClaimBit(Claim::kResizeInPlace);

#define IN_TABLE(function) .native = #function, .in_table = offsetof(dlpack_cts_plugin_table, function)

constexpr HookRow kHooks[] = {
    {.hook = Hook::kName, IN_TABLE(name), .always = true},
    {.hook = Hook::kVersion,
     .python = "version",
     .parameters = "()",
     IN_TABLE(version),
     .always = true,
     .scope = "both",
     .doc = "the library's version, a string"},
    {.hook = Hook::kFromDlpack,
     .python = "from_dlpack",
     .parameters = "(obj, **kw)",
     IN_TABLE(import_tensor),
     .claims = ClaimBit(Claim::kConsumer),
     .because = "which the role consumer needs",
     .scope = "consumer",
     .doc = "the library's array. `obj` has `__dlpack__` and `__dlpack_device__`, or is a bare capsule where "
            "`capsule_input` is claimed. If the library uses tables of the C exchange API here, it is judged as their "
            "consumer"},
    {.hook = Hook::kFromExchange,
     .python = "from_exchange",
     .parameters = "(obj)",
     .claims = ClaimBit(Claim::kFromExchange),
     .because = "which the claim needs",
     .scope = "claim `from_exchange`",
     .doc = "like `from_dlpack`, by an entry of the library that uses only the C exchange table of `type(obj)`. The "
            "cases about consumers of tables use it"},
    {.hook = Hook::kPeek,
     .python = "peek",
     .parameters = "(obj)",
     .claims = ClaimBit(Claim::kPeek),
     .because = "which the claim needs",
     .scope = "claim `peek`",
     .doc = "what `describe` returns, for `obj` itself: the library reads it through `dltensor_from_py_object_no_sync` "
            "of the C exchange table of `type(obj)`, and imports nothing"},
    {.hook = Hook::kDescribe,
     .python = "describe",
     .parameters = "(array)",
     IN_TABLE(describe),
     .always = true,
     .scope = "both",
     .doc = "`(pointer, shape, byte_strides, dtype, device, writable)`: address of element 0 (int); tuple of int; "
            "tuple of int in **bytes**; a type name (below); `(device_type, device_id)`; True or False. Each is None "
            "if the library does not report it"},
    {.hook = Hook::kArrayStruct,
     .python = "array_struct",
     .parameters = "(array)",
     .scope = "both",
     .doc = "NumPy's `__array_struct__` of the array, or None. It has to say the same as `describe`, and is read where "
            "it takes less time"},
    {.hook = Hook::kValues,
     .python = "values",
     .parameters = "(array)",
     IN_TABLE(values),
     .always = true,
     .scope = "both",
     .doc = "`bytes`: all elements, row-major, native byte order, by the library's own conversion; None if there is "
            "no such conversion"},
    {.hook = Hook::kDrop, IN_TABLE(drop), .always = true},
    {.hook = Hook::kMake,
     .python = "make",
     .parameters = "(request)",
     IN_TABLE(make),
     .claims = ClaimBit(Claim::kProducer),
     .because = "which the role producer needs",
     .scope = "producer",
     .doc = "an array. Raise `NotImplementedError(\"why\")` if the library does not have such arrays"},
    {.hook = Hook::kRelease,
     .python = "release",
     .parameters = "()",
     IN_TABLE(collect),
     .scope = "both",
     .doc = "makes the library release what it would release later. The run then waits a moment for what the "
            "library's threads release"},
    {.hook = Hook::kWrite,
     .python = "write",
     .parameters = "(array, index, bits)",
     IN_TABLE(write),
     .claims = ClaimBit(Claim::kWrite),
     .because = "which the claim needs",
     .check = HookCheck::kOneElement,
     .scope = "claim `write`",
     .doc = "writes `bits` (bytes of one element) into row-major element `index`"},
    {.hook = Hook::kCompute,
     .python = "compute",
     .parameters = "(array)",
     IN_TABLE(compute),
     .claims = ClaimBit(Claim::kCompute),
     .because = "which the claim needs",
     .check = HookCheck::kElements,
     .scope = "claim `compute`",
     .doc = "an array with equal elements, computed by a kernel of the library"},
    {.hook = Hook::kView,
     .python = "view",
     .parameters = "(array)",
     IN_TABLE(view),
     .claims = ClaimBit(Claim::kView),
     .because = "which the claim needs",
     .check = HookCheck::kMemory,
     .scope = "claim `view`",
     .doc = "a view with the same elements that keeps the memory alive. It is called for imported arrays, for arrays "
            "from `make`, and for views"},
    {.hook = Hook::kChangeMetadata,
     .python = "change_metadata",
     .parameters = "(array, how)",
     IN_TABLE(change),
     .claims = kInPlace,
     .because = "which a claim ending in _in_place needs",
     .check = HookCheck::kLayout,
     .scope = "claims `reshape_in_place`, ...",
     .doc = "changes the array itself; `how` is `\"reshape\"`, `\"transpose\"` or `\"resize\"`"},
    {.hook = Hook::kClose,
     .python = "close",
     .parameters = "(array)",
     IN_TABLE(close),
     .claims = ClaimBit(Claim::kClose),
     .because = "which the claim needs",
     .scope = "claim `close`",
     .doc = "closes the array, as the library's users free arrays early. It is called for imported arrays, for arrays "
            "from `make`, and for views, also when they are closed already. It may raise"},
    {.hook = Hook::kExport,
     .python = "export",
     .parameters = "(array, **kw)",
     IN_TABLE(export_tensor),
     .native_claims = ClaimBit(Claim::kProducer),
     .because = "which the role producer needs",
     .scope = "producer",
     .doc = "a capsule; default `array.__dlpack__(**kw)`"},
    {.hook = Hook::kDevice,
     .python = "device",
     .parameters = "(array)",
     .scope = "producer",
     .doc = "default `array.__dlpack_device__()`"},
    {.hook = Hook::kWatch,
     .python = "watch",
     .parameters = "(array)",
     .scope = "producer",
     .doc = "an object that is destroyed when every export of the array is released, if that is not the array itself; "
            "None: no object shows it"},
    {.hook = Hook::kStream,
     .python = "stream",
     .parameters = "(array)",
     .scope = "both, claim `cuda`",
     .doc = "the handle (int) of the CUDA stream on which the library works with the array; None if it is unknown. For "
            "an imported array this is the caller's current stream, which the library passes to `__dlpack__`"},
    {.hook = Hook::kFetch,
     .python = "fetch",
     .parameters = "(array)",
     .scope = "consumer, claim `cuda`",
     .doc = "like `values`, for an imported array on a CUDA device: what a kernel of the library reads there, on the "
            "stream that the library announced"},
    {.hook = Hook::kLacks,
     .python = "lacks",
     .parameters = "()",
     .scope = "both",
     .doc = "claims and roles of `library.toml` that the installed version does not fulfil yet, such as "
            "`[\"consumer\"]`. Use `hasattr`, so that one adapter serves old versions"},
    {.hook = Hook::kLive, IN_TABLE(live)},
};
static_assert(std::size(kHooks) == static_cast<size_t>(Hook::kCount));
static_assert(std::ranges::all_of(kHooks,
                                  [](const HookRow& row) { return &row == &kHooks[static_cast<size_t>(row.hook)]; }));

}  // namespace

std::span<const HookRow> Hooks() { return kHooks; }

}  // namespace dlpack_cts
