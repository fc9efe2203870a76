"""A model as a file, to begin another crawl with what one has learned."""

from __future__ import annotations

import io
import zipfile
from importlib.metadata import version
from pathlib import Path

import numpy as np

from sundog.errors import SundogError
from sundog.learn.model import KINDS, NUMBERS, ROWS, Model

KEPT = 3  # rows of the table; the fourth is about this crawl alone
NAMES = {kind: name for name, kind in KINDS.items()}


def model_bytes(model: Model) -> bytes:
    """NumPy's npz with the learner's name, its table and its numbers, and the version of Sundog."""
    file = io.BytesIO()
    name, made_by = np.array(NAMES.get(model.kind, "")), np.array(version("sundog"))
    np.savez_compressed(file, learner=name, table=model.table[:KEPT], numbers=model.numbers, version=made_by)
    return file.getvalue()


def version_of(path: Path) -> str:
    """The version of Sundog that wrote a model; empty if it does not say."""
    with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
        return str(file["version"]) if "version" in file else ""


def load_model(path: Path, empty: Model) -> Model:
    """The model in a file, which must be of the kind and size of ``empty``. Nothing in the file is executed."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            learner, table, numbers = str(file["learner"]), file["table"], file["numbers"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise SundogError(f"{path} is no model of a crawl: {error}") from None
    if KINDS.get(learner) != empty.kind:
        raise SundogError(f"{path} is a model of the learner '{learner}', not of the one that is asked for")
    if table.shape != (KEPT, empty.table.shape[1]) or numbers.shape != (NUMBERS,):
        raise SundogError(f"{path} is a model of another size: give the same hashes= as its crawl had")
    if not (np.isfinite(table).all() and np.isfinite(numbers).all()):
        raise SundogError(f"{path} is damaged: it has numbers that are none")
    rest = np.zeros((ROWS - KEPT, table.shape[1]))
    return empty._replace(table=np.concatenate([table.astype(float), rest]), numbers=numbers.astype(float))
