"""A view: a bare pointer to a struct, for kernels that only kernels call.

Kernels that take tuples of arrays by value are slow to compile and to call: every array is seven
arguments. A view is one argument however much is behind it, and no references are counted. Whoever
makes a view keeps what it points to alive; here that is the session, which holds the ``State``.

``view(s)`` makes one of a structref; an attribute that is a named tuple is again a view.
"""

from __future__ import annotations

import hashlib
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model


class View(types.Type):  # type: ignore[misc]
    """``struct`` is a named tuple's type, or that of a structref's payload."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct
        # symbols have the names of all types in them, and those of structs go on for pages
        digest = hashlib.blake2b(str(struct).encode(), digest_size=6).hexdigest()
        super().__init__(name=f"View({digest})")

    @property
    def fields(self) -> dict[str, Any]:
        if isinstance(self.struct, types.BaseNamedTuple):
            return dict(zip(self.struct.fields, self.struct, strict=True))
        return dict(self.struct.field_dict)

    def attribute(self, name: str) -> Any:
        field = self.fields.get(name)
        return View(field) if isinstance(field, types.BaseNamedTuple) else field


@register_model(View)
class _ViewModel(models.OpaqueModel):  # type: ignore[misc]
    """A pointer to what only ``_get`` knows."""


@infer_getattr
class _ViewAttributes(AttributeTemplate):  # type: ignore[misc]
    key = View

    def generic_resolve(self, view: Any, name: str) -> Any:
        return view.attribute(name)


@lower_getattr_generic(View)  # type: ignore[untyped-decorator]
def _get(context: Any, builder: Any, view: Any, value: Any, name: str) -> Any:
    struct = context.data_model_manager[view.struct].get_value_type()
    pointer = builder.bitcast(value, struct.as_pointer())
    field = cgutils.gep_inbounds(builder, pointer, 0, list(view.fields).index(name))
    if isinstance(view.attribute(name), View):
        return builder.bitcast(field, cgutils.voidptr_t)
    return impl_ret_borrowed(context, builder, view.fields[name], builder.load(field))


@intrinsic  # type: ignore[untyped-decorator]
def view(typing_context: Any, structref: Any) -> Any:
    """The view of a structref."""

    def make(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        reference = cgutils.create_struct_proxy(structref)(context, builder, value=arguments[0])
        return context.nrt.meminfo_data(builder, reference.meminfo)

    return View(structref.get_data_type())(structref), make
