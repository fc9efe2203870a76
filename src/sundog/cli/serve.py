"""``sundog serve``: the site in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sundog.cli.options import ConnectTo
from sundog.cli.terminal import say
from sundog.errors import SundogError
from sundog.web import DEFAULT_AT_ONCE, DEFAULT_HOST, DEFAULT_PORT


def serve_command(
    root: Annotated[Path, typer.Option(metavar="DIR", help="Where the crawls are.")] = Path("crawls"),
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes a free one.")] = DEFAULT_PORT,
    host: Annotated[
        str, typer.Option(help="The address to listen at; others than loopback need a token.")
    ] = DEFAULT_HOST,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file", "--password-file", metavar="FILE", help="Its first line is what browsers must know."
        ),
    ] = None,
    name: Annotated[list[str] | None, typer.Option(help="A host name by which the server may be asked.")] = None,
    at_once: Annotated[int, typer.Option(min=1, max=64, help="Crawls that run at once.")] = DEFAULT_AT_ONCE,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Crawls and previews may ask private addresses.")
    ] = False,
    connect_to: ConnectTo = "",
    settings: Annotated[Path | None, typer.Option(metavar="FILE", help="TOML: e-mail.")] = None,
) -> None:
    """Serve a local site, to begin, watch and read crawls in a browser."""
    try:
        import fastapi  # noqa: F401
        import jinja2  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise SundogError(f"{error.name} is missing: install it with pip install 'sundog[web]'") from None
    from sundog.spec.crawl import parse_address
    from sundog.web.serve import serve
    from sundog.web.settings import Settings, read_email, read_token

    parse_address(connect_to, "--connect-to")
    started = Settings(
        root=root,
        host=host,
        port=port,
        token=read_token(token_file) if token_file else "",
        names=frozenset(each.lower() for each in name or []),
        at_once=at_once,
        allow_private=allow_private,
        connect_to=connect_to,
        email=read_email(settings) if settings else None,
    )
    serve(started, lambda address: say(f"serving {root} at {address}; Ctrl-C ends the site, crawls go on"))
