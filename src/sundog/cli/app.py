"""The ``sundog`` command: its subcommands, and how errors reach the user."""

from __future__ import annotations

import copy
import errno
import gc
import os
import sys
import warnings
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

from sundog.cli.crawls.budget import budget_command
from sundog.cli.crawls.changes import changes_command
from sundog.cli.crawls.crawl import crawl_command, resume_command
from sundog.cli.crawls.explain import explain_command
from sundog.cli.crawls.health import health_command
from sundog.cli.crawls.refresh import keep_command, refresh_command
from sundog.cli.crawls.repair import repair_command
from sundog.cli.crawls.replay import replay_command
from sundog.cli.crawls.results import ExportCommand, export_command, merge_command, query_command, report_command
from sundog.cli.logs import logging_to
from sundog.cli.pages.extract import extract_command
from sundog.cli.pages.pattern import pattern_app
from sundog.cli.registered import objectives_command, policies_command, worlds_command
from sundog.cli.serve import serve_command
from sundog.cli.spec import spec_app
from sundog.cli.worlds.preparation import sample_command, warm_up_command
from sundog.cli.worlds.simulate import simulate_command
from sundog.cli.worlds.synth import score_command, synth_command
from sundog.cli.worlds.world import world_command
from sundog.errors import SundogError, UsageError

_HELP = ("-h", "--help")
MISUSE: type[Exception] = typer.BadParameter.__mro__[1]  # Click's UsageError, wherever typer keeps it

app = typer.Typer(
    name="sundog",
    help="An adaptive focused crawler for structured data.",
    no_args_is_help=True,
    context_settings={"help_option_names": list(_HELP)},
    pretty_exceptions_enable=False,
)
app.command("crawl")(crawl_command)
app.command("resume")(resume_command)
app.command("refresh")(refresh_command)
app.command("keep")(keep_command)
app.command("changes")(changes_command)
app.command("health")(health_command)
app.command("budget")(budget_command)
app.command("simulate", context_settings={"allow_extra_args": True})(simulate_command)
app.command("synth")(synth_command)
app.command("score")(score_command)
app.command("world")(world_command)
app.command("sample")(sample_command)
app.command("warm-up")(warm_up_command)
app.command("extract")(extract_command)
app.command("export", cls=ExportCommand)(export_command)
app.command("query")(query_command)
app.command("report")(report_command)
app.command("merge")(merge_command)
app.command("explain")(explain_command)
app.command("replay")(replay_command)
app.command("repair")(repair_command)
app.command("serve")(serve_command)
app.add_typer(pattern_app)
app.add_typer(spec_app)
app.command("policies")(policies_command)
app.command("objectives")(objectives_command)
app.command("worlds")(worlds_command)


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    verbose: Annotated[
        int,
        typer.Option(
            "--verbose", "-v", count=True, show_default=False, help="Log what happens; twice: every page, too."
        ),
    ] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no messages but errors.")] = False,
    log_file: Annotated[
        Path | None,
        typer.Option(envvar="SUNDOG_LOG_FILE", metavar="FILE", help="Append what happens there, as JSON lines."),
    ] = None,
) -> None:
    """Give it seeds, say what data you want, and a budget of fetches: it learns where that data is."""
    if version:
        from sundog import __version__

        typer.echo(__version__)
        raise typer.Exit
    if not gc.isenabled():  # all that was loaded to get here stays
        gc.freeze()
        gc.enable()
    context.with_resource(logging_to(verbose, quiet, log_file))


def main() -> None:
    """Run the command; a wrong request exits with 2, a failure with 1, each with one sentence."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # what the terminal's encoding does not have
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            command = _command(sys.argv[1:])
            sys.exit(command(prog_name="sundog", standalone_mode=False))  # None, or the code of typer.Exit
    except MISUSE as error:
        _refuse(error)
    except UsageError as error:
        _fail(str(error), 2)
    except SundogError as error:
        _fail(str(error), 1)
    except BrokenPipeError:
        _forget_output()
        sys.exit(1)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            _forget_output()
            _fail(f"{error.filename or 'the output'} cannot be written: no space is left", 1)
        if error.filename is None:  # no file that somebody could mend
            raise
        _fail(f"{error.filename} cannot be read or written: {error.strerror}", 1)
    except MemoryError:
        _fail("out of memory: try a smaller world or fewer policies at once", 1)


def _command(words: list[str]) -> Any:
    """The command with all subcommands, in whose help flags have no type: typer writes <bool> after each."""
    is_list = bool(words) and words[0] in _HELP
    command = typer.main.get_command(_without_options_of_commands() if is_list else app)
    _hide_types_of_flags(command, typer.Context(command, **command.context_settings))
    return command


def _without_options_of_commands() -> typer.Typer:
    """For a list of the commands: to make the options of all of them takes a fifth of its time."""
    listed = copy.copy(app)
    listed.registered_commands = [copy.copy(command) for command in app.registered_commands]
    for command in listed.registered_commands:
        command.callback = _named_like(command.callback)
    return listed


def _named_like(function: Callable[..., Any] | None) -> Callable[[], None]:
    def nothing() -> None: ...

    nothing.__doc__ = function.__doc__
    return nothing


def _hide_types_of_flags(command: Any, context: typer.Context) -> None:
    for option in command.get_params(context):
        if getattr(option, "is_flag", False) or getattr(option, "count", False):
            option.metavar = ""
    for name, each in getattr(command, "commands", {}).items():
        _hide_types_of_flags(each, typer.Context(each, parent=context, info_name=name, **each.context_settings))


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """One sentence, without a line of our code."""
    print(f"sundog: {message}", file=sys.stderr)


def _forget_output() -> None:
    """Or Python would try once more to write what is left of it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(error: Any) -> None:
    """Options and arguments that the command does not have are one sentence, like every other error."""
    if type(error).__name__ == "NoArgsIsHelpError":  # its message is the help
        error.show()
        sys.exit(2)
    message = error.format_message().rstrip(".").replace(". Did you mean", "; did you mean")
    message = message.replace(": Input should be", ": it should be")
    help_of = "" if message.endswith("?") else f"; see {error.ctx.command_path if error.ctx else 'sundog'} --help"
    _fail(f"{message[:1].lower()}{message[1:]}{help_of}", 2)


def _fail(message: str, code: int) -> None:
    print(f"sundog: {message}", file=sys.stderr)
    sys.exit(code)
