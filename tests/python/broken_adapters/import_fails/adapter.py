# tests/python/broken_adapters/import_fails/adapter.py: an adapter whose library is not installed.
import a_library_that_nobody_has  # noqa: F401
