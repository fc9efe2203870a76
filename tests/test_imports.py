"""Who may import whom, without exceptions; and what an import may not cost."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sundog

PACKAGE = Path(sundog.__file__).parent
BASE = {
    "arrow",
    "errors",
    "_jit",
    "_view",
    "model",
    "files",
    "media_types",
    "plugins",
    "short_repr",
    "syntaxes",
    "texts",
    "toml_text",
    "urls",
}
MAY_IMPORT = {
    "arrow": {"errors"},
    "errors": set(),
    "_jit": set(),
    "_view": set(),
    "model": set(),
    "files": {"errors"},
    "media_types": set(),
    "plugins": {"errors"},
    "short_repr": set(),
    "syntaxes": set(),
    "toml_text": set(),
    "texts": set(),
    "urls": {"_jit"},
    "demo_web": BASE,
    "learn": BASE,
    "revisits": BASE,
    "frontier": BASE,
    "completeness": BASE | {"frontier"},
    "fetch": BASE,
    "scope": BASE,
    "rdf": BASE,
    "archives": BASE | {"fetch"},
    "processes": BASE | {"rdf"},
    "extract": BASE | {"rdf"},
    "objectives": BASE | {"processes", "rdf"},
    "store": BASE | {"processes", "rdf"},
    "entities": BASE | {"rdf", "store"},
    "policies": BASE | {"learn", "frontier"},
    "sharding": BASE | {"fetch", "learn"},
    "session": BASE | {"completeness", "learn", "frontier", "policies"},
    "worlds": BASE | {"frontier", "objectives", "rdf"},
    "patterns": BASE | {"extract", "objectives", "processes", "rdf"},
    "spec": BASE | {"completeness", "extract", "fetch", "objectives", "patterns", "policies", "rdf", "scope"},
    "replay": BASE | {"frontier", "learn", "policies", "session", "spec", "store"},
    "results": BASE
    | {"completeness", "entities", "fetch", "frontier", "patterns", "rdf", "replay", "scope", "sharding", "spec"}
    | {"store"},
    "engines": BASE
    | {"extract", "fetch", "frontier", "learn", "objectives", "patterns", "policies", "processes", "replay"}
    | {"archives", "completeness", "results", "revisits", "scope", "session", "sharding", "spec", "store"}
    | {"worlds"},
    "contrib": BASE | {"engines", "extract", "objectives", "policies", "session"},
    "report": BASE
    | {"completeness", "engines", "entities", "policies", "rdf", "replay", "results", "spec", "store", "worlds"},
    "checks": BASE | {"extract", "objectives", "policies", "rdf", "session", "store"},
    "": BASE
    | {
        "engines",
        "entities",
        "extract",
        "policies",
        "report",
        "results",
        "session",
        "spec",
        "store",
        "worlds",
    },  # the library's surface
    "web": BASE
    | {
        "",
        "completeness",
        "engines",
        "entities",
        "fetch",
        "objectives",
        "patterns",
        "policies",
        "processes",
        "rdf",
        "replay",
        "report",
    }
    | {"results", "scope", "spec", "store"},
}
MAY_IMPORT["cli"] = set(MAY_IMPORT)
SOURCES = sorted(PACKAGE.rglob("*.py"))


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in SOURCES}


def layer_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return {"__init__": "", "__main__": "cli"}.get(first, first)


def imported_modules(path: Path) -> Iterator[str]:
    """Full names, wherever the import stands: at the top, in a function, for type checkers only."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = path.relative_to(PACKAGE.parent).parts[: -node.level] if node.level else ()
            module = ".".join([*above, *(node.module or "").split(".")]).strip(".")
            yield from (f"{module}.{alias.name}" for alias in node.names)


def imported_layers(path: Path) -> set[str]:
    names = imported_modules(path)
    inside = [name.split(".") for name in names if name.split(".")[0] == "sundog"]
    return {name[1] if len(name) > 1 and name[1] in MAY_IMPORT else "" for name in inside}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_go_down_only(path: Path) -> None:
    layer = layer_of(path)
    assert layer in MAY_IMPORT, f"'{layer}' is new: give it its place among the layers"
    assert imported_layers(path) - {layer} <= MAY_IMPORT[layer]


def test_nobody_imports_the_command_line() -> None:
    assert all("cli" not in imported_layers(path) for path in SOURCES if layer_of(path) != "cli")


def test_the_layers_have_no_cycle() -> None:
    order: list[str] = []
    while len(order) < len(MAY_IMPORT):
        free = [name for name, below in MAY_IMPORT.items() if name not in order and below - {name} <= set(order)]
        assert free
        order += free


def modules_below(path: Path) -> set[str]:
    """The modules of the package that one imports, wherever: also late, and for types only."""
    found = set()
    for name in imported_modules(path):
        if name in MODULES:
            found.add(name)
        elif name.rpartition(".")[0] in MODULES:
            found.add(name.rpartition(".")[0])
    return found - {module_of(path)}


def test_no_modules_import_each_other() -> None:
    """Not for types either: whoever reads one module should not have to read all of a circle."""
    waiting = {module: modules_below(path) for module, path in MODULES.items()}
    while free := [module for module, below in waiting.items() if waiting.keys().isdisjoint(below)]:
        for module in free:
            del waiting[module]
    circles = {module: below & waiting.keys() for module, below in waiting.items()}
    assert circles == {}  # and what imports them


@pytest.mark.parametrize(
    "imports",
    ["from sundog import extract", "import sundog.urls.identity, sundog.urls.hosts, sundog.urls.references"],
)
def test_pages_and_addresses_need_no_kernels(imports: str) -> None:
    program = f"import sys; {imports}; print(*{{'numba', 'numpy', 'pyarrow'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("module", ["sundog", "sundog.cli.app"])
def test_an_import_loads_nothing_heavy(module: str) -> None:
    heavy = {"numba", "numpy", "pyarrow", "rich.table", "turbohtml"}
    program = f"import sys, {module}; print(*{heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_site_loads_neither_kernels_nor_tables() -> None:
    """They are for crawls and exports, which have processes of their own."""
    program = "import sys, sundog.web.serve; print(*{'numba', 'pyarrow', 'aiohttp'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("module", ["sundog.web.app", "sundog.store.query", "sundog.results.export"])
def test_tables_are_loaded_by_those_who_write_them_only(module: str) -> None:
    program = f"import sys, {module}; print(*{{'pyarrow', 'vl_convert'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_pages_that_were_fetched_are_explained_without_kernels() -> None:
    program = "import sys, sundog.results.explain; print(*{'numba', 'sundog.session'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("name", sundog.__all__)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(sundog, name).__name__.rpartition(".")[2] == name  # extract is a package that can be called


def test_completion_sees_the_public_names() -> None:
    assert set(sundog.__all__) <= set(dir(sundog))


def test_type_checkers_see_the_public_names() -> None:
    """Those that they do not see are Any to whoever uses the library."""
    assert (PACKAGE / "py.typed").exists()
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    typed = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert set(sundog.__all__) <= typed


def test_a_former_name_works_for_one_release() -> None:
    with pytest.warns(DeprecationWarning, match="HeadResult"):
        assert sundog.Sight is sundog.HeadResult


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'crawl_session'"):
        _ = sundog.crawl_session
