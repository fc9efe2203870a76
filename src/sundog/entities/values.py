"""Values with types: what a literal or an IRI is, by its property, its datatype and its form.

Numbers are Python's, booleans too; dates, times and durations are ISO 8601; URLs are absolute; everything else is
text. What a property should be and is not (a price of "on request") stays text, and tables count it.

A comma or a point before three digits may stand for thousands or for a decimal. Together they decide themselves
(``1.299,00``); alone, the page's language does.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final, Literal
from urllib.parse import urljoin

from sundog.entities.vocabulary import local_key, split_iri
from sundog.rdf.namespaces import SCHEMA_ORG, XSD

Plain = str | int | float | bool
Kind = Literal["integer", "number", "boolean", "date", "time", "duration", "url", "text"]

PRICES: Final = frozenset("price lowPrice highPrice minPrice maxPrice price:amount".split())
NUMBERS: Final = PRICES | frozenset(
    """ratingValue ratingCount reviewCount bestRating worstRating rating average count best worst votes position
    latitude longitude lat long elevation numberOfPages wordCount commentCount interactionCount answerCount
    userInteractionCount upvoteCount downvoteCount offerCount numberOfItems episodeNumber seasonNumber
    numberOfEpisodes numberOfSeasons maximumAttendeeCapacity remainingAttendeeCapacity minValue maxValue
    copyrightYear numberOfEmployees numberOfRooms numberOfBedrooms numberOfBathroomsTotal image:width image:height
    video:width video:height width height starRating fileSize""".split()
)
DATES: Final = frozenset(
    """startDate endDate birthDate deathDate foundingDate dissolutionDate releaseDate uploadDate datePublished
    dateModified dateCreated datePosted dateIssued dateline validFrom validThrough validUntil priceValidUntil
    availabilityStarts availabilityEnds availableFrom doorTime expires previousStartDate orderDate published
    updated start end bday date issued modified created available published_time modified_time updated_time
    expiration_time release_date startTime endTime""".split()
)
DURATIONS: Final = frozenset(
    "duration totalTime prepTime cookTime performTime timeRequired activityDuration estimatedDuration".split()
)
URLS: Final = frozenset(
    """url image logo photo sameAs thumbnailUrl contentUrl embedUrl mainEntityOfPage discussionUrl installUrl
    downloadUrl hasMap paymentUrl installUrl photo uid image:url image:secure_url video video:url audio""".split()
)
BOOLEANS: Final = frozenset("isAccessibleForFree isFamilyFriendly publicAccess smokingAllowed petsAllowed".split())
# Their values are things of their own; a bare text names one.
THINGS: Final = frozenset(
    """author creator publisher contributor editor translator illustrator brand manufacturer provider performer
    performers organizer location hiringOrganization employer founder member actor actors director directors
    byArtist reviewedBy affiliation worksFor seller maintainer copyrightHolder sourceOrganization""".split()
)

NUMERIC_TYPES: Final = frozenset(
    XSD + name
    for name in """integer decimal double float int long short byte nonNegativeInteger positiveInteger
    negativeInteger nonPositiveInteger unsignedInt unsignedLong unsignedShort unsignedByte""".split()
) | {f"{SCHEMA_ORG}{name}" for name in ("Number", "Integer", "Float")}
DATE_TYPES: Final = frozenset(f"{XSD}{name}" for name in ("date", "dateTime", "dateTimeStamp")) | {
    f"{SCHEMA_ORG}Date",
    f"{SCHEMA_ORG}DateTime",
}
# Where 1.299 is a thousand and some; elsewhere 1,299 is.
COMMA_LANGUAGES: Final = frozenset(
    """de fr it es pt nl da sv nb nn no fi pl cs sk sl hr sr bs hu ro bg ru uk be el tr id vi lt lv et is ca gl eu
    sq mk az kk""".split()
)
CURRENCIES: Final = {
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₽": "RUB",
    "₺": "TRY",
    "zł": "PLN",
    "₩": "KRW",
}
LARGEST: Final = 1 << 53  # whole numbers up to here are exact wherever they go

_PLAIN_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_GROUPED = re.compile(r"[+-]?\d[\d.,'’ \u00a0\u202f]*", re.ASCII)
_AROUND_PRICE = re.compile(
    r"([^\d+-]{0,12}?)\s*([+-]?\d[\d.,'’ \u00a0\u202f]*?)\s*(?:[.,]?[-–—])?\s*([^\d.,]{0,12})"
)
_CODE = re.compile(r"[A-Z]{3}")
_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})", re.ASCII)
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s?(Z|z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?", re.ASCII
)
_ZONE_NAME = re.compile(r"(?<=[+-]\d{4}) [A-Z]{3,5}\Z", re.ASCII)  # behind the zone itself, as Go prints it
_DAY_IN_WORDS = re.compile(
    r"(?P<month>[a-z]{3,9})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})|"
    r"(?P<day2>\d{1,2})(?:st|nd|rd|th)? (?P<month2>[a-z]{3,9})\.?,? (?P<year2>\d{4})",
    re.ASCII | re.IGNORECASE,
)
_MONTHS = "january february march april may june july august september october november december".split()
_DURATION = re.compile(
    r"P(?:(\d+(?:\.\d+)?)Y)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?"
    r"(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?",
    re.ASCII,
)
_SECONDS = (31_536_000, 2_592_000, 604_800, 86_400, 3_600, 60, 1)  # of a year, month, week, day, hour, minute
_URL = re.compile(r"(?:https?|ftp)://[^\s<>\"]+|mailto:\S+|tel:\S+", re.IGNORECASE)
_WHOLE_URL = re.compile(r"https?://[a-z0-9.-]+(?:/[!$-.0-:=@-Z_a-z~/]*)?")  # that joining would leave as it is
_BLANKS = re.compile(r"[ \t\r\f\v\u00a0]+")


def value_of(key: str, text: str, datatype: str = "", *, comma: bool = False, base: str = "") -> Plain:
    """The value of a literal. ``comma``: whether the page's language writes decimals with one.

    >>> value_of("price", "1.299,00"), value_of("ratingValue", "4.81E1"), value_of("sku", "0042")
    (1299, 48.1, '0042')
    >>> value_of("startDate", "2025-05-01 18:00"), value_of("price", "on request")
    ('2025-05-01T18:00:00', 'on request')

    Programs that have no URL may write false.

    >>> value_of("url", "false", f"{XSD}boolean"), value_of("closed", "false", f"{XSD}boolean")
    ('', False)
    """
    text = clean(text)
    name = local_key(key)
    found: Plain | None = None
    if datatype == f"{XSD}boolean" and name in URLS:
        found = ""
    elif datatype in NUMERIC_TYPES:
        found = plain_number(text)
    elif name in PRICES:
        found = price(text, comma=comma)[0]
    elif name in NUMBERS:
        found = number(text, comma=comma)
    elif datatype == f"{XSD}boolean" or name in BOOLEANS:
        found = {"true": True, "1": True, "false": False, "0": False}.get(text.lower())
    elif name in DURATIONS:
        found = text.upper() if seconds_of(text.upper()) is not None else None
    elif name in DATES or datatype in DATE_TYPES or text[:2] in ("19", "20"):
        found = moment(text, loose=name in DATES)
    elif name in URLS or datatype == f"{XSD}anyURI":
        found = absolute(text, base)
    elif text.startswith(("https://schema.org/", "http://schema.org/")):
        found = of_iri(key, text)
    return text if found is None else found


def of_iri(key: str, iri: str) -> Plain:
    """The value of an IRI that nothing is said about: schema.org's enumerations are words.

    >>> of_iri("availability", "https://schema.org/InStock"), of_iri("url", "http://schema.org/InStock")
    ('InStock', 'http://schema.org/InStock')
    """
    space, name = split_iri(iri)
    if space == SCHEMA_ORG and name and local_key(key) not in URLS:
        return {"True": True, "False": False}.get(name, name)
    return iri


def clean(text: str) -> str:
    """Without blanks at the ends of lines and without empty lines.

    >>> clean("  a  b\\n\\n\\t c ")
    'a b\\nc'
    """
    if text.isprintable() and "  " not in text:
        return text.strip()
    if "\n" not in text:
        return _BLANKS.sub(" ", text).strip()
    lines = (_BLANKS.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join([line for line in lines if line])


def plain_number(text: str) -> int | float | None:
    """
    >>> [plain_number(text) for text in ("4.81E1", "7", "007.50", "1e999", "x", "12345678901234567890")]
    [48.1, 7, 7.5, None, None, None]
    """
    if not _PLAIN_NUMBER.fullmatch(text) or len(text) > 40:
        return None
    value = float(text)
    if not abs(value) < LARGEST:
        return None
    return int(value) if value.is_integer() else value


def number(text: str, *, comma: bool = False) -> int | float | None:
    """
    >>> [number(text) for text in ("1,299.00", "1.299,00", "1 299", "12,5", "1,299", "1.299", "1.2.3", "3-4")]
    [1299, 1299, 1299, 12.5, 1299, 1.299, None, None]
    >>> [number(text, comma=True) for text in ("1,299", "1.299", "1.299.000", "0.125")]
    [1.299, 1299, 1299000, 0.125]
    """
    if not _GROUPED.fullmatch(text) or len(text) > 40:
        return plain_number(text)
    digits = re.sub(r"['’ \u00a0\u202f]", "", text)
    comma_at, point_at = digits.rfind(","), digits.rfind(".")
    if comma_at >= 0 and point_at >= 0:
        thousands, decimal = (",", ".") if comma_at < point_at else (".", ",")
    else:
        sign = "," if comma_at >= 0 else "."
        thousands, decimal = (sign, "") if _is_thousands(digits, sign, comma=comma) else ("", sign)
    if thousands and not _in_threes(digits.partition(decimal)[0] if decimal else digits, thousands):
        return None
    plain = digits.replace(thousands, "") if thousands else digits
    return plain_number(plain.replace(decimal, ".") if decimal else plain)


def _is_thousands(digits: str, sign: str, *, comma: bool) -> bool:
    groups = digits.lstrip("+-").split(sign)
    if len(groups) > 2:
        return True
    ambiguous = len(groups) == 2 and len(groups[1]) == 3 and 1 <= len(groups[0]) <= 3 and groups[0][0] != "0"
    return ambiguous and (sign == "." if comma else sign == ",")


def _in_threes(whole: str, sign: str) -> bool:
    first, *rest = whole.lstrip("+-").split(sign)
    return 1 <= len(first) <= 3 and all(len(group) == 3 for group in rest)


def price(text: str, *, comma: bool = False) -> tuple[int | float | None, str]:
    """The number and the currency, if the text names one.

    >>> price("€ 19,90"), price("1,299.00 USD"), price("Fr. 12.-"), price("free")
    ((19.9, 'EUR'), (1299, 'USD'), (12, ''), (None, ''))
    """
    if len(text) > 60:
        return None, ""
    found = _AROUND_PRICE.fullmatch(text)
    if not found:
        return number(text, comma=comma), ""
    before, digits, after = found[1].strip(), found[2].rstrip(".,"), found[3].strip()
    return number(digits, comma=comma), _currency(before) or _currency(after)


def _currency(text: str) -> str:
    if _CODE.fullmatch(text):
        return text
    return next((code for sign, code in CURRENCIES.items() if sign in text), "")


def moment(text: str, *, loose: bool = False) -> str | None:
    """A date, or a date and time, as ISO 8601 writes them; the zone is kept. ``loose``: also as e-mails do,
    and in English words.

    >>> moment("2017-03-12T14:13:10-0500"), moment("2025-5-1", loose=True), moment("2025-02-30")
    ('2017-03-12T14:13:10-05:00', '2025-05-01', None)
    >>> moment("Thu, 01 May 2025 18:00:00 GMT", loose=True)
    '2025-05-01T18:00:00+00:00'
    >>> moment("2020-01-15 14:38:55 -0500 EST"), moment("Sept. 4th, 2013", loose=True)
    ('2020-01-15T14:38:55-05:00', '2013-09-04')
    """
    if len(text) > 60:
        return None
    if found := _TIME.fullmatch(_ZONE_NAME.sub("", text)):
        day, hour, minute, second, zone = found.groups()
        zone = "+0000" if (zone or "").upper() in ("Z", "UTC", "GMT") else (zone or "").replace(":", "")
        zone = f"{zone[:3]}:{zone[3:] or '00'}" if zone else ""
        return _checked_time(f"{day}T{hour}:{minute}:{second or '00'}{zone}")
    if found := _DATE.fullmatch(text):
        year, month, day = found.groups()
        if loose or (len(text) == 10 and text[4] == "-"):
            return _checked_date(f"{year}-{int(month):02}-{int(day):02}")
    if loose and (found := _DAY_IN_WORDS.fullmatch(text)):
        return _day_in_words(*(found[name] or found[f"{name}2"] for name in ("year", "month", "day")))
    if loose and text[-1:].isalnum() and ":" in text and "," in text:
        try:
            return parsedate_to_datetime(text).isoformat()
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
    return None


def _day_in_words(year: str, word: str, day: str) -> str | None:
    """A month's name may be cut after three letters or more."""
    months = [at for at, name in enumerate(_MONTHS, 1) if name.startswith(word.lower())]
    return _checked_date(f"{year}-{months[0]:02}-{int(day):02}") if months else None


def _checked_date(text: str) -> str | None:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def _checked_time(text: str) -> str | None:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return None
    return text


def in_utc(text: str) -> str:
    """A time as tables have it: in UTC, without a zone. A time that names no zone is taken as it stands.

    >>> in_utc("2017-03-12T14:13:10-05:00"), in_utc("2025-05-01"), in_utc("2025-05-01T18:00:00")
    ('2017-03-12T19:13:10', '2025-05-01', '2025-05-01T18:00:00')
    """
    if len(text) <= 19:
        return text
    try:
        return datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat()
    except (ValueError, OverflowError):  # year 1 in Kiribati
        return text[:19]


def seconds_of(text: str) -> int | float | None:
    """How long an ISO 8601 duration is; a year has 365 days and a month 30.

    >>> seconds_of("PT1H30M"), seconds_of("P1D"), seconds_of("PT0.5S"), seconds_of("P"), seconds_of("90 min")
    (5400, 86400, 0.5, None, None)
    """
    found = _DURATION.fullmatch(text) if len(text) <= 60 else None
    if not found or not any(found.groups()):
        return None
    total = sum((float(part) * size for part, size in zip(found.groups(), _SECONDS, strict=True) if part), 0.0)
    if total >= LARGEST:
        return None
    return int(total) if total.is_integer() else total


def absolute(text: str, base: str) -> str | None:
    if _WHOLE_URL.fullmatch(text):
        return text
    if not text or any(sign in text for sign in " \n<>{}"):
        return None
    try:
        found = urljoin(base, text)
    except ValueError:
        return None
    return found if _URL.match(found) else None


def kind_of(key: str, value: Plain) -> Kind:
    """What a value in a table is; durations are numbers of seconds there.

    >>> kind_of("price", 1.5), kind_of("totalTime", 60), kind_of("x", "2025-01-31"), kind_of("x", True)
    ('number', 'duration', 'date', 'boolean')
    """
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "duration" if local_key(key) in DURATIONS else "integer" if isinstance(value, int) else "number"
    if value[:1].isdigit():
        if _DATE.fullmatch(value):
            return "date"
        if _TIME.fullmatch(value):
            return "time"
    elif _URL.fullmatch(value):
        return "url"
    return "text"


def as_duration(seconds: float) -> timedelta:
    return timedelta(seconds=min(seconds, 999_999_999 * 86_400))


def writes_comma(language: str) -> bool:
    """
    >>> writes_comma("de-AT"), writes_comma("en_US"), writes_comma("de-CH")
    (True, False, False)
    """
    first, _, region = language.replace("_", "-").lower().partition("-")
    return first in COMMA_LANGUAGES and region not in ("ch", "mx", "us")
