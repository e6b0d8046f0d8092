"""Numba's compiler pipeline without the work that this package has no use for.

Numba makes machine code of every function it compiles, writes it to the cache, and links a function's intermediate
code into each caller, where it is optimised and compiled again. For an inner function, one that only compiled code
calls, the first copy is never run. `InnerCompiler` stops before it, and leaves the optimising to the callers; a process
that starts with a filled cache then has only the few outer functions to read.

Both pipelines also keep the answer to "which overload of this operator takes these numbers or arrays?", which type
inference asks thousands of times and Numba searches for each time.
"""

from __future__ import annotations

import builtins
import operator
from typing import Any

from numba import _dynfunc, types  # type: ignore[attr-defined]
from numba.core import codegen, compiler, typed_passes
from numba.core.compiler_machinery import PassManager, register_pass

_SIMPLE = (types.Integer, types.Float, types.Boolean, types.Array)
_PLAIN = frozenset(
    [getattr(operator, name) for name in dir(operator) if not name.startswith("_")]
    + [getattr(builtins, name) for name in ("max", "min", "abs", "int", "float", "bool")]
)
_known: dict[Any, Any] = {}


class InnerLibrary(codegen.JITCodeLibrary):
    """A library for linking only: it is never handed to the execution engine."""

    def _optimize_final_module(self) -> None:
        """Nothing: callers optimise what they take in."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


def _unrunnable(library: Any, fndesc: Any, env: Any) -> Any:
    """Return the object by which callers find an inner function; it cannot be called from Python."""
    library._ensure_finalized()
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, "inner function", 0, env, (library,))


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(typed_passes.NativeLowering):
    """Lowering into an `InnerLibrary`."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower one function."""
        state.library = state.targetctx.codegen().create_library(state.func_id.func_qualname)
        state.library.__class__ = InnerLibrary
        target = state.targetctx
        target.get_executable = _unrunnable  # in place of the method, for this one function
        try:
            return bool(super().run_pass(state))
        finally:
            del target.get_executable


@register_pass(mutates_CFG=True, analysis_only=False)
class RememberingInference(typed_passes.NopythonTypeInference):
    """Type inference that searches the overloads of an operator once."""

    _name = "remembering_inference"

    def run_pass(self, state: Any) -> bool:
        """Infer the types of one function, and of those it calls."""
        context = state.typingctx
        if "resolve_function_type" in vars(context):  # within another function's inference
            return bool(super().run_pass(state))
        search = context.resolve_function_type

        def resolve(function: Any, args: Any, kws: Any) -> Any:
            if kws or not isinstance(function, types.Function) or function.typing_key not in _PLAIN:
                return search(function, args, kws)
            plain = tuple(types.unliteral(a) for a in args)
            if not all(isinstance(a, _SIMPLE) for a in plain):
                return search(function, args, kws)
            asked = (function.typing_key, plain)
            if asked not in _known:
                _known[asked] = search(function, args, kws)
            return _known[asked]

        context.resolve_function_type = resolve
        try:
            return bool(super().run_pass(state))
        finally:
            del context.resolve_function_type


class OuterCompiler(compiler.CompilerBase):
    """The pipeline of functions that Python calls, or compiled code through a pointer."""

    lowering: Any = typed_passes.NativeLowering

    def define_pipelines(self) -> list[Any]:
        """Return the one pipeline."""
        builder = compiler.DefaultPassBuilder
        manager = PassManager("pompeii_sim")
        for part in (
            builder.define_untyped_pipeline(self.state),
            builder.define_typed_pipeline(self.state),
            builder.define_nopython_lowering_pipeline(self.state),
        ):
            for one, what in part.passes:
                if one is typed_passes.NopythonTypeInference:
                    manager.add_pass(RememberingInference, what)
                elif one is typed_passes.NativeLowering:
                    manager.add_pass(self.lowering, what)
                elif one is not typed_passes.AnnotateTypes:
                    manager.add_pass(one, what)
        manager.finalize()
        return [manager]


class InnerCompiler(OuterCompiler):
    """The pipeline of functions that only compiled code calls."""

    lowering = InnerLowering
