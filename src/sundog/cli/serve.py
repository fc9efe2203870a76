"""``sundog serve``: the site in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sundog.cli.environment import ROOT
from sundog.cli.options import ConnectTo
from sundog.cli.terminal import say
from sundog.errors import SundogError, UsageError
from sundog.web import DEFAULT_AT_ONCE, DEFAULT_HOST, DEFAULT_PORT, DEFAULT_QUERY_SECONDS


def serve_command(
    root: Annotated[Path, typer.Option(envvar=ROOT, metavar="DIR", help="Where the crawls are.")] = Path("crawls"),
    port: Annotated[
        int, typer.Option(envvar="SUNDOG_PORT", min=0, max=65_535, help="0 takes a free one.")
    ] = DEFAULT_PORT,
    host: Annotated[
        str,
        typer.Option(envvar="SUNDOG_HOST", help="The address to listen at; others than loopback need a token."),
    ] = DEFAULT_HOST,
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Let in everybody who can reach the site on this machine.")
    ] = False,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            "--password-file",
            envvar="SUNDOG_TOKEN_FILE",
            metavar="FILE",
            help="Its first line is the token, instead of one of the root.",
        ),
    ] = None,
    name: Annotated[list[str] | None, typer.Option(help="A host name by which the server may be asked.")] = None,
    at_once: Annotated[int, typer.Option(min=1, max=64, help="Crawls that run at once.")] = DEFAULT_AT_ONCE,
    query_seconds: Annotated[
        float, typer.Option(min=0.1, max=3_600, metavar="SECONDS", help="The time of a SPARQL query.")
    ] = DEFAULT_QUERY_SECONDS,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Crawls and previews may ask private addresses.")
    ] = False,
    connect_to: ConnectTo = "",
    settings: Annotated[
        Path | None, typer.Option(envvar="SUNDOG_SETTINGS", metavar="FILE", help="TOML: e-mail, webhook.")
    ] = None,
) -> None:
    """Serve a local site, to begin, watch and read crawls in a browser."""
    try:
        import fastapi  # noqa: F401
        import jinja2  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise SundogError(f"{error.name} is missing: install it with pip install 'sundog[web]'") from None
    from sundog.spec.crawl import parse_address
    from sundog.web.guard.sessions import own_token
    from sundog.web.notify.webhook import check_webhook
    from sundog.web.runs.directories import Root
    from sundog.web.serve import serve
    from sundog.web.settings import Settings, Ways, read_token, read_ways

    if no_token and token_file:
        raise UsageError("--no-token and --token-file exclude each other: give one of them")
    parse_address(connect_to, "--connect-to")
    token = "" if no_token else read_token(token_file) if token_file else own_token(Root(root).site_folder)
    ways = read_ways(settings) if settings else Ways()
    if ways.webhook and ways.webhook.url:
        check_webhook(ways.webhook.url, allow_private=allow_private)
    started = Settings(
        root=root,
        host=host,
        port=port,
        token=token,
        names=frozenset(each.lower() for each in name or []),
        at_once=at_once,
        query_seconds=query_seconds,
        allow_private=allow_private,
        connect_to=connect_to,
        email=ways.email,
        webhook=ways.webhook,
    )

    # The link ends the line, so that terminals know where it ends.
    serve(started, lambda link: say(f"serving {root} until Ctrl-C, which crawls survive; open it at {link}"))
