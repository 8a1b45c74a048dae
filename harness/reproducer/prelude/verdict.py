# harness/reproducer/prelude/verdict.py: runs the exchange in a child process, and says whether the finding shows again.
START_SECONDS, EXCHANGE_SECONDS = 300, 10
NOTHING = ("none", "not-run", "not-read", "not-seen", "unsupported")


def run_child(report):
    """Imports the library and runs the exchange; the facts go into the pipe."""
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value.replace("{environment}", sys.prefix))
    sys.unraisablehook = lambda *_: None  # ctypes complains there about exceptions that were pending in callbacks
    library = types.ModuleType("adapter")
    library.__file__ = os.path.abspath(__file__)
    exec(compile(ADAPTER, "adapter.py", "exec"), library.__dict__)  # bytes: a coding that it names counts
    os.write(report, b"ready\n")
    life = Exchange(library, OFFER, REQUEST, CALL, ELEMENTS)
    exchange(life)
    life.end()
    os.write(report, json.dumps({key: str(value) for key, value in life.facts.items()}).encode() + b"\n")


def watch(child, pipe):
    """The lines that the child wrote, and how it ended: the name of a signal, `exit N`, `timeout`, or "" for the end."""
    text, limit = b"", time.monotonic() + START_SECONDS
    while True:
        waiting = select.select([pipe], [], [], max(0, limit - time.monotonic()))[0]
        if not waiting:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return text.split(b"\n"), "timeout"
        more = os.read(pipe, 65536)
        if text == b"" and more:
            limit = time.monotonic() + EXCHANGE_SECONDS
        text += more
        if not more:
            break
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return text.split(b"\n"), signal.Signals(os.WTERMSIG(status)).name
    lines = text.split(b"\n")
    came_to_its_end = status == 0 and len(lines) > 2
    return lines, "" if came_to_its_end else "exit %d" % os.WEXITSTATUS(status)


def is_right(fact, value, facts):
    """True when the fact is as the rule wants it, or when this run could not show it."""
    wanted, got = FINDING["wanted"].split(" | "), FINDING["got"]
    if value is None:  # never noted: the exchange did not come that far
        return FINDING["unseen"] != got
    if value in wanted or (value in NOTHING and not got.startswith(value)):
        return True
    if wanted == ["refused"]:
        return value != "accepted"
    if fact.endswith("alignment") and wanted[0].isdigit():
        return int(value) % int(wanted[0]) == 0
    if fact.endswith("exception") and wanted == ["BufferError"]:
        return facts.get(fact.replace("exception", "is_buffer_error")) == "1"
    if FINDING["wanted_is_prose"]:
        return value != got
    return False


def judge(lines, end):
    """True when the finding shows again; None when nothing could be tried."""
    if lines[0] != b"ready":
        print("The library could not be imported; is it installed?  pip install " + printable(" ".join(REQUIREMENTS)))
        return None
    if FINDING["death"]:
        print("wanted: a result or an exception")
        print("seen:   " + (end or "the exchange came to its end"))
        return end in FINDING["death"].split(" | ")
    if end:
        print("the exchange ended early: " + end)
        return False
    facts = json.loads(lines[1].decode())
    value = facts.get(FINDING["fact"])
    print(FINDING["fact"])
    print("wanted: " + printable(FINDING["wanted"]))
    print("seen:   " + printable(FINDING["unseen"] if value is None else value))
    return not is_right(FINDING["fact"], value, facts)


def reproduce():
    """Prints what is seen, then the verdict; returns the exit status."""
    pipe, report = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(pipe)
        status = 0
        try:
            run_child(report)
        except BaseException as error:
            import traceback
            for part in traceback.format_exception(type(error), error, error.__traceback__):
                for line in part.rstrip("\n").split("\n"):
                    print("  | " + printable(line), file=sys.stderr)
            status = 99
        sys.stdout.flush()
        os._exit(status)  # some libraries abort in their own exit handlers
    os.close(report)
    shown = judge(*watch(child, pipe))
    if shown is None:
        return 2
    print("REPRODUCED %s %s" % (FINDING["verdict"], FINDING["case"]) if shown else "NOT REPRODUCED")
    return 1 if shown else 0
