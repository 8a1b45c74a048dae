# tests/python/broken_adapters/syntax_error/adapter.py: an adapter that Python cannot parse.
def version(:
    return "1.0"
