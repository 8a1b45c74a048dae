// adapters/python/reference_type.h: the reference's Python type and its functions.
#ifndef DLPACK_CTS_ADAPTERS_PYTHON_REFERENCE_TYPE_H_
#define DLPACK_CTS_ADAPTERS_PYTHON_REFERENCE_TYPE_H_

#include <Python.h>

namespace dlpack_cts {

struct Reference;

/// A new reference to an object with the functions of an adapter.py (docs/adapters.md), over a new instance of the
/// reference implementation of adapters/reference/. NULL with an exception set.
PyObject* MakeReferenceAdapter(Reference** instance);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ADAPTERS_PYTHON_REFERENCE_TYPE_H_
