// SPARQL as tokens, for colours and completion. What cannot be read is passed over: the server says what is wrong.

export const KEYWORDS = ("SELECT ASK CONSTRUCT DESCRIBE WHERE FROM NAMED GRAPH OPTIONAL FILTER UNION MINUS BIND VALUES PREFIX BASE " +
  "DISTINCT REDUCED AS GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET EXISTS NOT IN UNDEF").split(" ");
export const FUNCTIONS = ("COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT SEPARATOR STR LANG LANGMATCHES DATATYPE BOUND IRI URI BNODE RAND ABS CEIL " +
  "FLOOR ROUND CONCAT STRLEN UCASE LCASE ENCODE_FOR_URI CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER YEAR MONTH DAY HOURS MINUTES " +
  "SECONDS TIMEZONE TZ NOW UUID STRUUID MD5 SHA1 SHA256 COALESCE IF STRLANG STRDT sameTerm isIRI isBlank isLiteral isNumeric " +
  "REGEX SUBSTR REPLACE").split(" ");
const WORDS = new Set([...KEYWORDS, ...FUNCTIONS].map((word) => word.toUpperCase()).concat("A", "TRUE", "FALSE"));
const TOKEN = new RegExp([
  /(?<comment>#[^\r\n]*)/,
  /(?<string>"""(?:\\[^]?|(?!""")[^\\])*(?:"""|$)|'''(?:\\[^]?|(?!''')[^\\])*(?:'''|$)|"(?:\\.|[^"\\\r\n])*"?|'(?:\\.|[^'\\\r\n])*'?)/,
  /(?<iri><[^<>"{}|^`\\\x00-\x20]*>)/,
  /(?<variable>[?$][\p{L}\p{N}_]+)/,
  /(?<tag>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)/,
  /(?<name>(?:[\p{L}\p{N}](?:[\p{L}\p{N}_.-]{0,100}[\p{L}\p{N}_-])?)?:(?:[\p{L}\p{N}_:%-]|\.(?=[\p{L}\p{N}_:%-])|\\.)*|_:[\p{L}\p{N}_]+)/,
  /(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/,
  /(?<word>[\p{L}_][\p{L}\p{N}_]*)/,
].map((part) => part.source).join("|"), "gu");

// {kind, text, at} of all that has a colour; a word counts if SPARQL has it.
export function tokens(text) {
  const found = [];
  for (const match of text.matchAll(TOKEN)) {
    const [kind] = Object.entries(match.groups).find(([, part]) => part !== undefined);
    if (kind === "word" && !WORDS.has(match[0].toUpperCase())) continue;
    found.push({ kind: kind === "word" ? "keyword" : kind, text: match[0], at: match.index });
  }
  return found;
}

export const isGraph = (text) => /^(CONSTRUCT|DESCRIBE)$/i.test(tokens(text).find(({ kind, text: word }) => kind === "keyword" && /^(SELECT|ASK|CONSTRUCT|DESCRIBE)$/i.test(word))?.text ?? "");
