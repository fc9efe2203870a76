"""RDFa's processing rules (RDFa Core 1.1, 7.5) and property copying (HTML+RDFa 1.1, 3.5).

Only elements that say something, and those around them, are visited: an element without RDFa changes nothing
but the subject of what is inside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sundog.extract.dom import BLANKS, Element
from sundog.extract.guards import TimeBox
from sundog.extract.output import Statements
from sundog.extract.page import HtmlPage
from sundog.extract.rdfa.markup_literals import inner_html, inner_xml
from sundog.extract.rdfa.names import PREFIXES, TOP, EvaluationContext, Lists, Names, Scope
from sundog.rdf.namespaces import RDF, XSD
from sundog.rdf.terms import FIRST, NIL, REST, TYPE, Triple, iri, kind_of_time, literal, quoted, typed

COPY, PATTERN, USES_VOCABULARY = (f"<{PREFIXES['rdfa']}{name}>" for name in ("copy", "Pattern", "usesVocabulary"))
# An element with a property and none of these speaks of what is around it, and changes nothing for its inside.
_OWN_SUBJECT = frozenset("about inlist rel resource rev typeof vocab".split())
_RDFA_ATTRIBUTES = frozenset("about href inlist property rel resource rev src typeof vocab".split())


class OpenElement:
    """An element that has been entered and not yet left."""

    __slots__ = ("context", "element", "lists", "scope")

    def __init__(
        self, element: Element, scope: Scope, context: EvaluationContext, lists: Sequence[tuple[str, Lists]] = ()
    ) -> None:
        self.element = element
        self.scope = scope
        self.context = context  # for what is inside
        self.lists = lists  # its own, by subject, to be written when it is left


class Reader:
    def __init__(self, page: HtmlPage, box: TimeBox, out: Statements) -> None:
        self.page = page
        self.box = box
        self.out = out
        self.names = Names(page.base, out.spend)
        self.document = iri(page.base.url) or self.names.blanks.new()

    def read(self, elements: list[Element]) -> None:
        """``elements``: those that say something, with all around them, in document order."""
        lists: Lists = {}
        outside = EvaluationContext(self.document, self.document, lists, lists, [])
        stack: list[OpenElement] = []
        for element in elements:
            self.box.check()
            while stack and stack[-1].element is not element.parent:
                self._leave(stack.pop())
            if stack:
                stack.append(self._enter(element, stack[-1].scope, stack[-1].context))
            else:
                stack.append(self._enter(element, TOP, outside))
        while stack:
            self._leave(stack.pop())
        self._write_lists(self.document, lists)

    def _enter(self, element: Element, outer: Scope, context: EvaluationContext) -> OpenElement:
        attrs, names = element.attrs, self.names
        scope = outer.changed_by(attrs, self.page.base)
        if (
            _RDFA_ATTRIBUTES.isdisjoint(attrs)
            and element.parent is not None
            and element.tag not in ("head", "body")
        ):
            return OpenElement(element, scope, context)
        if self._is_plain(element, context):  # what is below would come to the same
            properties = names.predicates(attrs["property"], scope)
            if properties:
                value = self._value(element, scope, True, None, None)
                for predicate in properties:
                    self.out.append((context.object, predicate, value))
            return OpenElement(element, scope, context)
        if attrs.get("vocab", "").strip(BLANKS):
            self._add(self.document, USES_VOCABULARY, iri(scope.vocabulary))
        properties = names.predicates(attrs["property"], scope) if "property" in attrs else []
        rel, rev = self._relations(attrs, scope)
        about = self._about(attrs, scope, context)
        has_type = "typeof" in attrs
        skips = False
        current: str | None = None  # the current object resource
        typed_resource: str | None = None
        if rel is None and rev is None:
            if "property" in attrs and "content" not in attrs and "datatype" not in attrs:
                about = about or self._about_of_root(element)
                subject = about or context.object
                if has_type:
                    typed_resource = about or self._linked(attrs, scope) or names.blanks.new()
                    current = typed_resource
            else:
                found = about or self._linked(attrs, scope)
                if found is None:
                    found = self._default_subject(element, context)
                    if found is None:
                        if has_type:
                            found = names.blanks.new()
                        else:
                            found, skips = context.object, "property" not in attrs
                subject = found
                typed_resource = subject if has_type else None
        else:
            about = about or self._about_of_root(element)
            subject = about or context.object
            current = self._linked(attrs, scope)
            if has_type:
                if about is not None:
                    typed_resource = about
                else:
                    current = current or names.blanks.new()
                    typed_resource = current
        if typed_resource is not None:
            for kind in names.types(attrs["typeof"], scope):
                self._add(typed_resource, TYPE, kind)
        lists = context.lists if subject == context.object else {}
        incomplete: list[tuple[str, str]] = []
        if rel or rev:
            current = self._relate(attrs, rel or [], rev or [], subject, current, lists, incomplete)
        if properties:
            value = self._value(element, scope, rel is None and rev is None, typed_resource, about)
            for predicate in properties:
                if "inlist" in attrs:
                    self._enlist(lists, predicate, value)
                else:
                    self.out.append((subject, predicate, value))
        if skips:
            return OpenElement(element, scope, context)
        if context.incomplete:
            self._complete(context, subject)
        own = [(subject, lists)] if lists is not context.lists else []
        inner: Lists = lists
        if current is not None and current != subject:
            inner = {}
            own.append((current, inner))
        return OpenElement(
            element, scope, EvaluationContext(subject, current or subject, lists, inner, incomplete), own
        )

    def _is_plain(self, element: Element, context: EvaluationContext) -> bool:
        """Whether it has a property and nothing else that the elements inside must know of."""
        attrs = element.attrs
        return (
            "property" in attrs
            and not context.incomplete
            and _OWN_SUBJECT.isdisjoint(attrs)
            and element.parent is not None
            and element.tag not in ("head", "body")
            and not (("content" in attrs or "datatype" in attrs) and ("href" in attrs or "src" in attrs))
        )

    def _relations(self, attrs: dict[str, str], scope: Scope) -> tuple[list[str] | None, list[str] | None]:
        """The predicates of @rel and @rev; None where there is none of it, or none that counts."""
        if "rel" not in attrs and "rev" not in attrs:
            return None, None
        found: list[list[str] | None] = []
        for name in ("rel", "rev"):
            value = attrs.get(name)
            if value is not None and "property" in attrs:
                value = " ".join(word for word in value.split() if ":" in word) or None
            found.append(None if value is None else self.names.predicates(value, scope))
        return found[0], found[1]

    def _about(self, attrs: dict[str, str], scope: Scope, context: EvaluationContext) -> str | None:
        """The resource of @about. Empty brackets name none, but no @typeof makes a new one then."""
        if "about" not in attrs:
            return None
        if "typeof" in attrs and attrs["about"].strip(BLANKS) == "[]":
            return context.object
        return self.names.resource(attrs["about"], scope)

    def _linked(self, attrs: dict[str, str], scope: Scope) -> str | None:
        """The resource of @resource, @href or @src."""
        found = self.names.resource(attrs["resource"], scope) if "resource" in attrs else None
        if found is None and "href" in attrs:
            found = self.names.reference(attrs["href"])
        if found is None and "src" in attrs:
            found = self.names.reference(attrs["src"])
        return found

    def _about_of_root(self, element: Element) -> str | None:
        """The root is about the page, as if it had an @about."""
        return self.document if element.parent is None else None

    def _default_subject(self, element: Element, context: EvaluationContext) -> str | None:
        """The page itself at the root; head and body are about what the root is about."""
        if element.parent is None:
            return self.document
        return context.object if element.tag in ("head", "body") else None

    def _relate(
        self,
        attrs: dict[str, str],
        rel: list[str],
        rev: list[str],
        subject: str,
        current: str | None,
        lists: Lists,
        incomplete: list[tuple[str, str]],
    ) -> str | None:
        """Write @rel and @rev, or keep them until their object is known."""
        in_list = "inlist" in attrs
        if current is not None:
            for predicate in rel:
                if in_list:
                    self._enlist(lists, predicate, current)
                else:
                    self.out.append((subject, predicate, current))
            for predicate in rev:
                self._add(current, predicate, subject)
            return current
        for predicate in rel:
            if in_list:
                lists.setdefault(predicate, [])
            incomplete.append(("list" if in_list else "rel", predicate))
        incomplete += [("rev", predicate) for predicate in rev]
        return self.names.blanks.new() if incomplete else None

    def _complete(self, context: EvaluationContext, subject: str) -> None:
        for kind, predicate in context.incomplete:
            if kind == "list":
                self._enlist(context.subject_lists, predicate, subject)
            elif kind == "rel":
                self.out.append((context.subject, predicate, subject))
            else:
                self._add(subject, predicate, context.subject)

    def _value(
        self, element: Element, scope: Scope, alone: bool, typed_resource: str | None, about: str | None
    ) -> str:
        """The value of @property; ``alone``: without @rel and @rev."""
        attrs, document = element.attrs, self.page.document
        if "datatype" in attrs:
            return self._with_datatype(element, scope)
        if "content" in attrs:
            return literal(attrs["content"], scope.language)
        if "datetime" in attrs or element.tag == "time":
            text = attrs.get("datetime")
            text = document.text_of(element) if text is None else text
            kind = kind_of_time(text)  # with a blank around it, it is text
            return typed(text, XSD + kind) if kind else literal(text, scope.language)
        if alone:
            found = self._linked(attrs, scope)
            if found is not None:
                return found
        if typed_resource is not None and about is None:
            return typed_resource
        return literal(document.text_of(element), scope.language)

    def _with_datatype(self, element: Element, scope: Scope) -> str:
        attrs, document = element.attrs, self.page.document
        name = self.names.name(attrs["datatype"].strip(BLANKS), scope)
        text = attrs.get("content", attrs.get("datetime"))
        if text is None:
            if name == f"<{RDF}HTML>":
                return f"{quoted(inner_html(element))}^^{name}"
            if name == f"<{RDF}XMLLiteral>":
                return f"{quoted(inner_xml(element, self.out.spend))}^^{name}"
            text = document.text_of(element)
        if name is None:
            return literal(text, scope.language)
        return typed(text, name[1:-1])

    def _leave(self, opened: OpenElement) -> None:
        for subject, lists in opened.lists:
            self._write_lists(subject, lists)

    def _write_lists(self, subject: str, lists: Lists) -> None:
        for predicate, items in lists.items():
            head = NIL
            for item in reversed(items):
                node = self.names.blanks.new()
                self.out += [(node, FIRST, item), (node, REST, head)]
                head = node
            self.out.append((subject, predicate, head))

    def _enlist(self, lists: Lists, predicate: str, value: str) -> None:
        self.out.spend(len(value))  # it is kept until the list is written
        lists.setdefault(predicate, []).append(value)

    def _add(self, subject: str | None, predicate: str, value: str | None) -> None:
        if subject is not None and value is not None:
            self.out.append((subject, predicate, value))


def copy_patterns(statements: list[Triple], box: TimeBox) -> None:
    """Replace patterns that are copied by their copies; patterns may copy patterns, also in circles."""
    patterns = {s for s, p, o in statements if p == TYPE and o == PATTERN}
    copied: dict[str, list[str]] = {}
    for subject, predicate, value in statements:
        if predicate == COPY and value in patterns:
            copied.setdefault(subject, []).append(value)
    if not copied:
        return
    used = {pattern for several in copied.values() for pattern in several}
    statements_of: dict[str, list[Triple]] = {pattern: [] for pattern in used}
    kept: list[Triple] = []
    for statement in statements:
        subject, predicate, value = statement
        if predicate == COPY and value in used:
            continue
        if subject not in used:
            kept.append(statement)
        elif value != PATTERN:
            statements_of[subject].append(statement)
    statements[:] = kept
    for subject in copied:
        if subject not in used:
            for pattern in _reached(copied, subject):
                box.check()
                statements.extend((subject, predicate, value) for _, predicate, value in statements_of[pattern])


def _reached(copied: dict[str, list[str]], subject: str) -> list[str]:
    reached: dict[str, None] = {}
    stack = list(copied[subject])
    while stack:
        pattern = stack.pop()
        if pattern not in reached:
            reached[pattern] = None
            stack += copied.get(pattern, [])
    return list(reached)
