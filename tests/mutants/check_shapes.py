# tests/mutants/check_shapes.py: ten legal kinds of libraries get no failures and nearly all results, and mutants of them are found.
"""Usage: check_shapes.py DLPACK_CTS [SHAPE...]. Prints one line per violation; exit status 1 when there is any."""
import json
import subprocess
import sys

SHAPES = ("immutable", "copying", "legacy", "capsules", "consumer", "producer", "typed", "borrower", "strict", "generous")
TRUE = {"PASS", "NOTE"}
SILENT = TRUE | {"SKIP", "BLOCKED"}
MOST_UNSHOWN = 0.1  # the largest share of cases without a result, of the cases for a shape's roles and claims
# Messages of cases that need a claim or a kind of capsule that the shape does not have. They do not count.
NOT_CLAIMED = ("the adapter does not claim ", "this machine has no CUDA ", "no sweep was requested")
HAS_NOT = {
    "legacy": ("the library does not import versioned capsules", "the library does not export versioned capsules",
               "the library's __dlpack__ does not accept max_version"),
    "capsules": ("the library imports only bare capsules, not objects with __dlpack__",),
}
# A few mutants for each shape: data, strides, ownership, names, flags, refusals.
CONSUMING = ("ignores-byte-offset", "reverses-strides", "never-releases", "does-not-rename", "drops-read-only",
             "leaks-refused-types")
PRODUCING = ("exports-base-pointer", "exports-strides-in-bytes", "deleter-leaks", "names-legacy-capsules-with-a-space",
             "exports-read-only-as-writable", "refused-exports-leak")
MUTANTS = {
    "immutable": ("ignores-byte-offset", "reverses-strides", "never-releases", "does-not-rename", "leaks-refused-types",
                  "exports-base-pointer", "exports-strides-in-bytes", "deleter-leaks", "exports-read-only-as-writable",
                  "capsule-releases-consumed", "wants-the-exact-version"),
    "copying": ("ignores-byte-offset", "reverses-strides", "gives-empty-copies", "never-releases-what-it-copied",
                "does-not-rename", "leaks-refused-types", "exports-strides-in-bytes", "forgets-is-copied",
                "copies-keep-the-source"),
    "legacy": ("ignores-byte-offset", "reverses-strides", "never-releases", "does-not-rename", "leaks-refused-types",
               "exports-base-pointer", "exports-strides-in-bytes", "deleter-leaks", "names-legacy-capsules-with-a-space",
               "hides-read-only-in-legacy"),
    "capsules": (*CONSUMING, *PRODUCING),
    "consumer": CONSUMING,
    "producer": PRODUCING,
    "typed": (*CONSUMING, *PRODUCING),
    "borrower": ("ignores-byte-offset", "reverses-strides", "drops-read-only", "accepts-used-capsules",
                 "releases-refused-types-twice", *PRODUCING),
    "strict": ("ignores-byte-offset", "never-releases", "does-not-rename", "drops-read-only", "leaks-refused-devices",
               *PRODUCING),
    "generous": (*CONSUMING, *PRODUCING),
}


def output(program, *arguments):
    run = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"{program} {' '.join(arguments)} exited with {run.returncode}:\n{run.stderr}")
    return json.loads(run.stdout)


def silence(shape, verdicts):
    for case, said in verdicts.items():
        if said["verdict"] not in SILENT:
            yield f"shape-{shape} is a conforming variant, but {case} gives {said['verdict']}: {said['message']}"


def own_cases(shape, verdicts):
    """The cases for the shape's roles, claims and kinds of capsule."""
    def strange(case, said):
        # A shape that refuses every copy has none to judge.
        refused = case.startswith("python/copy/") and said["message"].startswith("refused with an exception")
        return (said["verdict"] == "SKIP" and (refused or said["message"].startswith(NOT_CLAIMED))) or \
            (said["verdict"] == "BLOCKED" and said["message"].startswith(HAS_NOT.get(shape, ())))
    # A pair also depends on the other library: a library of capsules and one of objects cannot exchange.
    return {case: said for case, said in verdicts.items() if not strange(case, said) and not case.startswith("interop/")}


def shown(shape, verdicts):
    own = own_cases(shape, verdicts)
    unshown = [case for case, said in own.items() if said["verdict"] not in TRUE]
    print(f"shape-{shape}: {len(own) - len(unshown)} of {len(own)} cases for it have a result, of {len(verdicts)} cases in total")
    if len(unshown) > MOST_UNSHOWN * len(own):
        yield f"shape-{shape}: {len(unshown)} of {len(own)} cases have no result: {', '.join(unshown)}"


def killed(program, shape):
    for row in output(program, "mutants", "--json", "--on", f"shape-{shape}", *MUTANTS[shape])["mutants"]:
        if not row["caught"]:
            yield f"{row['mutant']} on top of shape-{shape} survives: no case of a rule that it names fails on it"


def violations(program, shapes):
    listed = output(program, "mutants", "--json", *(f"shape-{shape}" for shape in shapes))["mutants"]
    rows = {row["mutant"]: row for row in listed}
    for shape in shapes:
        verdicts = rows[f"shape-{shape}"]["verdicts"]
        yield from silence(shape, verdicts)
        yield from shown(shape, verdicts)
        yield from killed(program, shape)


def main():
    found = list(violations(sys.argv[1], sys.argv[2:] or SHAPES))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
