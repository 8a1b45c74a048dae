# tests/suites/check_conclusive.py: every case, and every value that it draws often, is judged in some example of the reference.
"""Usage: check_conclusive.py DLPACK_CTS. Prints one line per violation; exit status 1 when there is any."""
import json
import subprocess
import sys

# What cases draw although the reference cannot show anything with it, as (case, words): why.
WITHOUT_ELEMENTS = "without elements there is no memory to look at"
COPIED = "a copy has no source to keep alive"
BEFORE = "the reference refuses the device before it calls a function of the table"
KNOWN = {
    ("c-abi/flags/read-only-is-kept", "empty"): WITHOUT_ELEMENTS,
    ("c-abi/own/tensor-is-not-released-while-in-use", "empty"): WITHOUT_ELEMENTS,
    ("c-abi/own/tensor-is-not-released-while-in-use", "no-memory"): WITHOUT_ELEMENTS,
    ("c-abi/layout/exported-legacy-struct-has-its-layout", "read-only-array"): "a legacy struct has no flag for it",
    ("c-abi/own/deleter-releases-the-source", "copy-true"): COPIED,
    ("c-abi/own/deleter-runs-on-any-thread", "copy-true"): COPIED,
    ("c-abi/own/deleters-of-one-array-run-on-several-threads", "copy-true"): COPIED,
    ("exchange-api/consumer/null-view-function-is-not-called", "copy-true"): "the reference copies without a table",
    ("exchange-api/consumer/unusable-tensors-of-a-table-are-released", "no-memory"): BEFORE,
    ("exchange-api/consumer/unusable-tensors-of-a-table-are-released", "foreign-device"): BEFORE,
    ("exchange-api/functions/views-of-different-arrays-live-side-by-side", "lanes"): "the reference has no vectors",
    ("python/dl-device/struct-names-the-device-that-was-asked-for", "dl_device-pair-id"): "no library has another CPU",
}

# Cases that judge nothing of the reference, and why. Mutants of a library of another kind make them judge something.
SILENT = {
    "c-abi/strides/null-strides-are-only-for-row-major-data": "the reference never exports NULL strides",
    "c-abi/subbyte/exported-vectors-keep-their-lanes": "the reference has no vectors",
    "exchange-api/consumer/set-error-works-without-the-gil": "the reference does not call the allocator of a table",
    "python/max-version/refused-versions-raise-buffer-error": "the reference refuses no version",
    "python/max-version/retry-keeps-the-stream": "the reference takes no tensor of a device that has streams",
}
ENOUGH = 20  # drawn examples of which one has to be conclusive


def silence(results):
    """Cases without any conclusive example."""
    silent = {line["case"] for line in results if not line["held"] and line["nothing"] >= ENOUGH}
    silent |= {line["case"] for line in results if line["case"] in SILENT and not line["held"]}
    yield from (f"{case}: no example is conclusive: the case judges nothing" for case in sorted(silent - set(SILENT)))
    yield from (f"{case}: some example is conclusive: remove it from SILENT" for case in sorted(set(SILENT) - silent))


def violations(program):
    command = [program, "run", "reference", "--sweep", "0", "--seed", "1", "--format", "json"]
    lines = [json.loads(line) for line in subprocess.run(command, check=True, capture_output=True).stdout.splitlines()]
    results = [line for line in lines if line["type"] == "result"]
    if not any(line["verdict"] == "PASS" for line in results):
        yield "no case passes"
    yield from silence(results)
    for line in results:
        for lost in line.get("lost", []):
            if (line["case"], lost["value"]) in KNOWN:
                continue
            yield f"{line['case']}: {lost['drawn']} examples in which {lost['words']}, but no example is conclusive: do not draw them"
    yield from (f"the reference has the limitation {line['id']}" for line in lines if line.get("limitation"))


if __name__ == "__main__":
    found = list(violations(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
