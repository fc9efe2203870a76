"""What goes inside <script> tags, made so that it cannot end them."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any


@cache
def vega() -> str:
    """Vega, Vega-Lite and Vega-Embed, out of the installed vl-convert; defines ``vegaEmbed``."""
    import vl_convert  # 80 MB, and needed only here

    return inline(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))


def inline(code: str) -> str:
    r"""JavaScript in which no string or pattern can end the tag or open a comment.

    >>> inline('a = "</script><!--"')
    'a = "<\\/script><\\!--"'
    """
    return re.sub("</(?=script)", r"<\\/", code, flags=re.IGNORECASE).replace("<!--", "<\\!--")


def inline_json(value: Any) -> str:
    r"""JSON without a character that HTML would notice.

    >>> inline_json("</script>&")
    '"\\u003c/script\\u003e\\u0026"'
    """
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
