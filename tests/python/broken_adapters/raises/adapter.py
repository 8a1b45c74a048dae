# tests/python/broken_adapters/raises/adapter.py: an adapter that raises when it is imported.
raise RuntimeError("out of order")
