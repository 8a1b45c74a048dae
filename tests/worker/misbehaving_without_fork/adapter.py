# tests/worker/misbehaving_without_fork/adapter.py: the same library in a process that may not fork.
import importlib.util
import os

_file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "misbehaving", "adapter.py")
_spec = importlib.util.spec_from_file_location("misbehaving", _file)
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
globals().update({name: value for name, value in vars(_module).items() if not name.startswith("__")})
