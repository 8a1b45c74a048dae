# tests/cuda/defects.py: the defects of device_library/, and the rule and the case that must report each.
MEMORY = "cuda/memory/driver-knows-it-as-device-memory"
PINNED, MANAGED = "cuda/memory/declared-pinned-memory-is-pinned", "cuda/memory/managed-memory-is-declared-as-such"
STREAMS = "cuda/streams/named-streams-lead-to-the-array"
HOST = "cuda/host-copies/have-the-arrays-elements"
STAYS, DELETERS = "cuda/current-device/stays-behind-an-export", "cuda/deleters/leave-the-current-device-alone"
ANNOUNCED = "cuda/streams/announced-stream-is-of-the-producers-device"
ORDER, IMPORTS = "cuda/order/", "cuda/imports/"
EXPLICIT, MINUS_ONE = ORDER + "explicit-stream-comes-behind-pending-work", ORDER + "minus-one-waits-for-nothing"
KERNEL = "cuda/memory/exported-data-lies-on-its-device"
COPIES, OWN_ORDER = ORDER + "copies-run-on-the-consumers-stream", IMPORTS + "take-the-order-over"

# Defects of device_library/gpu/: the rule and the case that must report the defect, and the rule of the cause if that is a
# rule for any memory.
DEFECTS = {
    "pinned-memory": ("CUDA-MEM-01", MEMORY),
    "host-memory": ("CUDA-MEM-01", MEMORY),
    "memory-of-another-device": ("CUDA-MEM-01", MEMORY),
    "no-address": ("C-DEVICE-12", KERNEL, "C-DATA-07"),
    "pageable-memory": ("C-DEVICE-12", KERNEL),
    "spoils-elements": ("C-DEVICE-12", KERNEL),
    "another-address": ("CUDA-MEM-03", "cuda/memory/exported-address-is-the-arrays", "PY-COPY-04"),
    "unaligned-arrays": ("CUDA-MEM-04", "cuda/memory/whole-arrays-are-256-byte-aligned"),
    "deleter-wants-a-device": ("CUDA-MEM-07", "cuda/deleters/run-on-a-thread-without-a-device", "C-OWN-12"),
    "deleter-leaks": ("CUDA-MEM-07", "cuda/deleters/run-on-a-thread-without-a-device", "C-OWN-06"),
    "deleter-changes-the-device": ("CUDA-MEM-07", DELETERS),
    "device-stays-changed": ("CUDA-MEM-08", STAYS),
    "copies-for-stream-1": ("CUDA-STREAM-04", STREAMS),
    "copies-for-stream-2": ("CUDA-STREAM-05", STREAMS),
    "stream-of-the-first-device": ("CUDA-STREAM-11", ANNOUNCED),
    "synchronises-exports": ("CUDA-STREAM-14", "cuda/captures/survive-an-export-without-order"),
    "synchronises-table-exports": ("XAPI-FROM-04", "cuda/captures/survive-an-export-by-the-table"),
    "synchronises-views": ("XAPI-DLT-04", "cuda/captures/survive-a-view-by-the-table"),
    "unfilled-host-copy": ("PY-DLDEVICE-04", HOST),
    "device-kept-for-the-host": ("PY-DLDEVICE-04", HOST),
    "host-refused-otherwise": ("PY-DLDEVICE-04", HOST),
    "ignores-handles": ("CUDA-STREAM-01", EXPLICIT),
    "takes-handles-for-the-default": ("CUDA-STREAM-06", EXPLICIT),
    "ignores-none": ("CUDA-STREAM-02", ORDER + "none-is-the-legacy-default-stream"),
    "ignores-no-argument": ("CUDA-STREAM-03", ORDER + "no-argument-is-the-legacy-default-stream"),
    "ignores-1": ("CUDA-STREAM-04", ORDER + "named-streams-come-behind-pending-work"),
    "ignores-2": ("CUDA-STREAM-05", ORDER + "named-streams-come-behind-pending-work"),
    "orders-minus-one": ("CUDA-STREAM-07", MINUS_ONE),
    "blocks-for-minus-one": ("CUDA-STREAM-07", MINUS_ONE),
    "fails-for-minus-one": ("CUDA-STREAM-07", MINUS_ONE, "PY-DLPACK-13"),
    "host-copies-at-once": ("CUDA-STREAM-16", ORDER + "host-copies-are-complete"),
    "copies-apart": ("CUDA-STREAM-15", COPIES),
    "unfilled-copies": ("CUDA-STREAM-15", COPIES),
    "keeps-the-stream": ("CUDA-STREAM-12", ORDER + "streams-are-forgotten-behind-the-export"),
    "works-on-another-stream": ("CUDA-STREAM-10", IMPORTS + "are-used-on-the-announced-stream"),
    "passes-no-stream": ("CUDA-STREAM-10", IMPORTS + "are-used-on-the-announced-stream"),
    "hasty-minus-one-consumer": ("CUDA-STREAM-20", OWN_ORDER),
    "accesses-are-wide": ("CUDA-MEM-05", IMPORTS + "read-at-any-alignment"),
    "computes-aligned-only": ("CUDA-MEM-05", IMPORTS + "read-at-any-alignment"),
    "releases-at-once": ("CUDA-MEM-06", IMPORTS + "keep-device-memory-alive", "C-OWN-03"),
    "another-work-stream": ("XAPI-STREAM-01", "cuda/exchange-table/work-stream-is-the-librarys-own"),
    "device-arrays-declared-as-pinned": ("C-DEVICE-04", PINNED),
    "managed-arrays-declared-as-pinned": ("C-DEVICE-05", MANAGED),
    "device-arrays-declared-as-managed": ("C-DEVICE-05", MANAGED),
    "synchronises-table-imports": ("XAPI-TO-03", "cuda/captures/survive-an-import-by-the-table"),
    "ignores-work-streams": ("XAPI-STREAM-06", IMPORTS + "come-behind-the-work-stream-of-a-table"),
    "wrapped-stream": ("XAPI-STREAM-04", "cuda/exchange-table/work-stream-is-a-native-handle"),
}

# Consumers of device memory: the rule and the case that must report each defect, with tensors of the usual cases in
# device memory.
IMPORT_DEFECTS = {
    "ignores-strides-on-the-device": ("C-STRIDES-08", "c-abi/strides/any-layout-is-honoured"),
    "ignores-offsets-on-the-device": ("C-DATA-01", "c-abi/data/byte-offset-is-added"),
    "writes-beside-the-tensor": ("C-DATA-16", "c-abi/data/import-writes-nothing"),
    "never-releases": ("C-OWN-01", "c-abi/own/tensor-is-released-once"),
    "releases-at-once": ("C-OWN-03", "c-abi/own/tensor-is-not-released-while-in-use"),
    "wants-an-address": ("C-DATA-05", "c-abi/data/null-data-of-empty-tensor-is-taken"),
}
