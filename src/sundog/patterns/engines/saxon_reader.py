"""What a query of Saxon's found, as JSON: by a stylesheet, which Saxon compiles once, unlike queries.

Elements of the page are their texts; elements that a query has made are records.
"""

from __future__ import annotations

from typing import Any

from sundog.patterns.engines import FieldPlan
from sundog.patterns.engines.nodes import HREFS

READER_NAMESPACE = "urn:sundog:read"
FOUND = "$crawl-found"
TEXT = " ! (if (. instance of node()) then string(.) else .)"
STYLESHEET = """<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:r="urn:sundog:read" xmlns:map="http://www.w3.org/2005/xpath-functions/map"
    xmlns:xs="http://www.w3.org/2001/XMLSchema" exclude-result-prefixes="#all">
  <xsl:function name="r:plain">
    <xsl:param name="value"/>
    <xsl:choose>
      <xsl:when test="$value instance of map(*)">
        <xsl:sequence select="map:merge(map:keys($value) !
          map:entry(string(.), array { $value(.) ! r:plain(.) }))"/>
      </xsl:when>
      <xsl:when test="$value instance of array(*)">
        <xsl:sequence select="array { $value?* ! r:plain(.) }"/>
      </xsl:when>
      <xsl:when test="$value instance of element() and $value/*">
        <xsl:map>
          <xsl:for-each-group select="$value/*" group-by="local-name()">
            <xsl:map-entry key="current-grouping-key()" select="array { current-group() ! r:plain(.) }"/>
          </xsl:for-each-group>
        </xsl:map>
      </xsl:when>
      <xsl:when test="$value instance of function(*)"><xsl:sequence select="'a function'"/></xsl:when>
      <xsl:when test="$value instance of node()"><xsl:sequence select="string($value)"/></xsl:when>
      <xsl:when test="$value instance of xs:boolean"><xsl:sequence select="$value"/></xsl:when>
      <xsl:when test="$value instance of xs:numeric">
        <xsl:sequence select="if (string($value) = ('NaN', 'INF', '-INF')) then () else $value"/>
      </xsl:when>
      <xsl:otherwise><xsl:sequence select="string($value)"/></xsl:otherwise>
    </xsl:choose>
  </xsl:function>
  <xsl:function name="r:reference">
    <xsl:param name="value"/>
    <xsl:sequence select="if ($value instance of element())
      then [string((HREFS, $value)[1]), normalize-space($value)]
      else [string($value), '']"/>
  </xsl:function>
  <xsl:function name="r:found" visibility="public">
    <xsl:param name="found"/>
    <xsl:sequence select="serialize(array { $found !
      (if (. instance of node() and root(.) instance of document-node())
      then string(.) else r:plain(.)) }, map { 'method': 'json' })"/>
  </xsl:function>
  <xsl:function name="r:records" visibility="public">
    <xsl:param name="found"/>
    <xsl:sequence select="serialize(array { $found !
      (if (. instance of document-node() and *) then * else .) ! r:plain(.) }, map { 'method': 'json' })"/>
  </xsl:function>
  <xsl:function name="r:references" visibility="public">
    <xsl:param name="found"/>
    <xsl:sequence select="serialize(array { $found ! r:reference(.) }, map { 'method': 'json' })"/>
  </xsl:function>
  <xsl:function name="r:document" visibility="public">
    <xsl:param name="found"/>
    <xsl:variable name="root" as="element()">
      <xsl:choose>
        <xsl:when test="count($found) = 1 and $found instance of element()">
          <xsl:sequence select="$found"/>
        </xsl:when>
        <xsl:when test="count($found) = 1 and $found instance of document-node() and count($found/*) = 1">
          <xsl:sequence select="$found/*"/>
        </xsl:when>
        <xsl:otherwise>
          <result><xsl:for-each select="$found">
            <xsl:choose>
              <xsl:when test=". instance of node()"><xsl:copy-of select="."/></xsl:when>
              <xsl:when test=". instance of function(*)">
                <value><xsl:value-of select="serialize(., map { 'method': 'adaptive' })"/></value>
              </xsl:when>
              <xsl:otherwise><value><xsl:value-of select="."/></value></xsl:otherwise>
            </xsl:choose>
          </xsl:for-each></result>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:sequence select="serialize($root, map { 'method': 'xml', 'indent': true() })"/>
  </xsl:function>
  <xsl:function name="r:truth" visibility="public">
    <xsl:param name="found"/>
    <xsl:sequence select="string(boolean($found))"/>
  </xsl:function>
  <xsl:function name="r:itself" visibility="public">
    <xsl:param name="name"/>
    <xsl:sequence select="function-lookup(QName('urn:sundog:read', $name), 1)"/>
  </xsl:function>
</xsl:stylesheet>""".replace("HREFS", ", ".join(f"$value/@{name.replace(':', '_')}" for name in HREFS))


class Reader:
    """Functions that read what was found: ``found``, ``records``, ``references``, ``truth`` and ``document``."""

    def __init__(self, processor: Any) -> None:
        self._program = processor.new_xslt30_processor().compile_stylesheet(stylesheet_text=STYLESHEET)
        self._name = processor.make_string_value

    def __call__(self, function: str, found: Any) -> str:
        return str(self._value(function, found))

    def itself(self, function: str) -> Any:
        """For a query to call it."""
        return self._value("itself", self._name(function)).head

    def _value(self, function: str, argument: Any) -> Any:
        return self._program.call_function_returning_value(f"{{{READER_NAMESPACE}}}{function}", [argument])


def record(fields: list[FieldPlan]) -> str:
    """An expression for the fields of the context item."""
    members = []
    for field in fields:
        find = f"({field['find']}\n)" if field["find"] else _member(field["name"])
        inner = f" ! {record(field['fields'])}" if field["fields"] else TEXT
        members.append(f"'{field['name']}': array {{ {find}{inner} }}")
    return f"map {{ {', '.join(members)} }}"


def _member(name: str) -> str:
    """The key of a map, a child element, an attribute."""
    return (
        f"(if (. instance of map(*)) then .('{name}') ! (if (. instance of array(*)) then ?* else .) "
        f"else if (. instance of node()) then (*[local-name() = '{name}'], @*[local-name() = '{name}']) else ())"
    )
