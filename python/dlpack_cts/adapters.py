# python/dlpack_cts/adapters.py: finds the adapters that installed packages bring along.
"""A package announces its adapter with an entry point of the group dlpack_cts.adapters:

    [project.entry-points."dlpack_cts.adapters"]
    mylib = "mylib.dlpack_adapter"

The value names the package whose folder holds library.toml. Nothing of it is imported here.
"""
import importlib.util
import os
from importlib import metadata

GROUP = "dlpack_cts.adapters"


def _entries():
    found = metadata.entry_points()
    # Before CPython 3.10 it is a dict of all groups.
    return found.select(group=GROUP) if hasattr(found, "select") else found.get(GROUP, ())


def _folders(module):
    """The folders of a package. find_spec() of a name with a dot would import its parent."""
    first, *others = module.split(".")
    try:
        spec = importlib.util.find_spec(first)
    except (ImportError, ValueError):
        spec = None
    places = spec.submodule_search_locations if spec is not None else None
    return [os.path.join(place, *others) for place in places or ()]


def installed():
    """The folders of the adapters of installed packages, in the order of their names."""
    folders = []
    for entry in sorted(set(_entries()), key=lambda entry: (entry.name, entry.value)):
        module = entry.value.split(":")[0].strip()
        found = [folder for folder in _folders(module) if os.path.isfile(os.path.join(folder, "library.toml"))]
        # A folder whose name has the separator of the list cannot be passed on.
        folders += [folder for folder in found[:1] if os.pathsep not in folder]
    return folders
