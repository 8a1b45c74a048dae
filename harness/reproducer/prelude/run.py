# harness/reproducer/prelude/run.py: runs the exchange in a child process, and prints whether the finding is reproduced.
FOLDER = tempfile.mkdtemp()  # for the modules that the adapter imports from its own folder


def write_modules():
    for name, source in MODULES.items():
        path = os.path.join(FOLDER, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(source)
    sys.path.insert(0, FOLDER)


def run_child():
    """Imports the library and runs the steps. This may crash the process."""
    sys.excepthook = lambda kind, error, _: print("%s: %s" % (kind.__name__, ascii(str(error))[1:-1]))
    sys.unraisablehook = lambda *_: None  #? releases
    signal.alarm(300)
    for name, value in ENVIRONMENT.items():  #? environment
        os.environ.setdefault(name, value.replace("{environment}", sys.prefix))
    library = types.ModuleType("adapter")
    library.__file__ = os.path.abspath(__file__)  #? adapter.file
    library.__file__ = os.path.join(FOLDER, "adapter.py")  #? modules
    write_modules()  #? modules
    exec(compile(ADAPTER, "adapter.py", "exec"), library.__dict__)
    STATE[0] = 1
    signal.alarm(10)
    life = Life(library)
    exchange(life)
    life.finish()  #? finish
    seen = str(life.facts.get(FACT, UNSEEN))  #? !death
    print(FACT, "is", ascii(seen), flush=True)  #? !death
    STATE[0] = 3 if is_wrong(seen) else 2  #? !death
    STATE[0] = 2  #? death
    print("FACTS", json.dumps({key: str(value) for key, value in life.facts.items()}))  #? every-fact
    sys.stdout.flush()  #? death every-fact
    os._exit(0)  # some libraries abort in their own exit handlers


def reproduce():
    """Runs the exchange in a child process, prints the result, and returns the exit status."""
    if os.fork() == 0:
        run_child()
    status = os.wait()[1]
    shutil.rmtree(FOLDER)  #? modules
    if STATE[0] == 0:
        print("The library could not be imported. This script contains only .py files of the adapter's folder. "
              "Install the library (%s), or add its folder to PYTHONPATH." % INSTALL)
        return 2
    if STATE[0] == 4:  #? export.survives_end
        waits = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
        seen = "yes" if any(STATE[RETURNED:]) else "no" if any(STATE[BEGUN:]) and not waits else UNSEEN
        print(FACT, "is", ascii(seen))
        STATE[0], status = 3 if is_wrong(seen) else 2, 0
    shown = status == 0 and STATE[0] == 3  #? !death
    if status != 0 or STATE[0] == 1:  #? !death
        print("The exchange did not finish: wait status %d." % status)
    end = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "exit %d" % os.WEXITSTATUS(status)  #? death
    end = {"SIGALRM": "timeout", "exit 0": "a normal end" if STATE[0] > 1 else "exit 0"}.get(end, end)  #? death
    print("The exchange ended with %s; the finding is %s." % (end, " or ".join(EXPECTED_END)))  #? death
    shown = end in EXPECTED_END  #? death
    print("REPRODUCED " + CASE if shown else "NOT REPRODUCED")
    return 1 if shown else 0
