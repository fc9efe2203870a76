"""A policy as the rest of the package knows it: a name, parameters, and what makes its chooser.

No kernels are loaded here: lists of policies and checks of specs need none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sundog.errors import UsageError
from sundog.policies.parameters import PARAMETERS, Parameter, read_parameter

if TYPE_CHECKING:
    from sundog.policies.chooser import Chooser, Setup


@dataclass(frozen=True, kw_only=True)
class Policy(ABC):
    """``accepts`` lists the parameters that can be set, ``defaults`` are values as they are read."""

    name: str
    summary: str
    accepts: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    own: Mapping[str, Parameter] = field(default_factory=dict)  # those that no other policy has
    foresees: bool = False  # must know every page's reward: for simulations only
    has_classifier: bool = False  # its estimates are probabilities of relevance
    reads_link_scores: bool = False  # links' own scores matter
    prefers_rdf: bool = False  # made for Linked Data: servers are asked for RDF first

    @abstractmethod
    def new_chooser(self, values: Mapping[str, Any], setup: Setup) -> Chooser:
        """``values``: all parameters, as read, with the defaults of those that are not set."""

    @property
    @abstractmethod
    def kernels_like(self) -> str:
        """A policy that compiles the same kernels; empty if it has none."""

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Those that can be set, with their meanings."""
        return {name: self.own[name] if name in self.own else PARAMETERS[name] for name in self.accepts}

    def read(self, texts: Mapping[str, Any]) -> dict[str, Any]:
        """The values of all its parameters; what others have is left out."""
        parameters = self.parameters
        known = {
            name: read_parameter(name, text, parameters) for name, text in texts.items() if name in parameters
        }
        return {**self.defaults, **known}

    def compares_siblings(self, values: Mapping[str, Any]) -> bool:
        """Whether it matters which links of a document belong together; ``values``: parameters, as read."""
        return False

    def check_foresight(self, truth: Any = None) -> None:
        if self.foresees and truth is None:
            raise UsageError(
                f"policy '{self.name}' needs to know every page's reward: it works in simulation only"
            )
