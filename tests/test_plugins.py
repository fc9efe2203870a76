"""What installed packages add: the template, installed by pip, and packages that are broken."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sundog import Candidate, CrawlSession, Decision, Failed, Fetched, Link, PageOutcome, SundogError, UsageError
from sundog.checks import check_policy
from sundog.engines.simulate import simulate
from sundog.worlds.synthetic import generate, write

ROOT = Path(__file__).parent.parent
TEMPLATE = ROOT / "examples" / "plugin"
PAGE = '<html lang="fr-CA"><meta name="citation_title" content="On graphs"><p>…'


def run(*words: object, cwd: Path, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    values = {**os.environ, "COLUMNS": "200", **environment}
    done = subprocess.run([*map(str, words)], cwd=cwd, capture_output=True, text=True, env=values)
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of its own, which shares the packages of this one, with the template installed by pip."""
    folder = tmp_path_factory.mktemp("plugins")
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    (own,) = (folder / "venv" / "lib").glob("*/site-packages")
    shared = [path for path in (*site.getsitepackages(), *sys.path) if path.endswith("-packages")]
    lines = [f"import site; site.addsitedir({path!r})" for path in dict.fromkeys(shared)]
    (own / "shared.pth").write_text("\n".join(lines))
    project = shutil.copytree(TEMPLATE, folder / "project", ignore=shutil.ignore_patterns("__pycache__"))
    options = ("--no-index", "--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check")
    run(python, "-m", "pip", "install", *options, project, cwd=folder)
    return python


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("worlds") / "web"
    write(generate("web2014", pages=1500, hosts=100, seed=1), folder)
    return folder


def sundog(python: Path, *words: object, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    return run(python, "-m", "sundog", *words, cwd=cwd, code=code)


def first_words(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines() if line.strip()]


def test_the_template_is_listed(python: Path, tmp_path: Path) -> None:
    listed = sundog(python, "policies", cwd=tmp_path)
    assert first_words(listed.stdout)[-1] == "anchor-words"
    assert listed.stderr == ""
    assert first_words(sundog(python, "objectives", cwd=tmp_path).stdout)[-1] == "language:CODE"
    assert "urls: the URLs of relevant pages" in sundog(python, "export", "--help", cwd=tmp_path).stdout


def test_the_template_is_simulated(python: Path, web: Path) -> None:
    words = ("--policy", "bfs,anchor-words", "--budget", 300, "--set", "smoothing=2")
    found = sundog(python, "simulate", web, *words, cwd=web.parent).stdout
    assert [line.split()[:3] for line in found.splitlines()[-2:]] == [
        ["bfs", "0", "300"],
        ["anchor-words", "0", "300"],
    ]
    wrong = sundog(python, "simulate", web, *words[:4], "--set", "smoothing=much", cwd=web.parent, code=2)
    assert wrong.stderr == "sundog: parameter smoothing=much: is not a number\n"
    wrong = sundog(python, "simulate", web, *words[:4], "--set", "smothing=2", cwd=web.parent, code=2)
    assert "did you mean 'smoothing'?" in wrong.stderr


CRAWL = """
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from sundog import CrawlSpec, crawl, export, query

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        found = self.path == "/"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode() if found else b"")
    def log_message(self, *words): pass

with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    spec = CrawlSpec(seeds=("http://a.example/",), objective="language:fr", policy="anchor-words", delay=0.0,
                     connect_to=f"127.0.0.1:{server.server_port}", parameters={"smoothing": 3})
    print(crawl(spec, "found")["relevant"])
    server.shutdown()
print(export("found", "urls").read_text().strip(), "citation_title" in export("found", "nquads").read_text())
"""


def test_a_crawl_uses_all_of_it(python: Path, tmp_path: Path) -> None:
    (tmp_path / "crawl.py").write_text(
        f"PAGE = {PAGE!r}\nif __name__ == '__main__':\n" + CRAWL.replace("\n", "\n    ")
    )
    said = run(python, "crawl.py", cwd=tmp_path).stdout
    assert said.splitlines() == ["1", "http://a.example/ True"]
    (tmp_path / "page.html").write_text(PAGE)
    printed = sundog(
        python, "extract", "page.html", "--syntax", "highwire", "--base", "http://a.example/", cwd=tmp_path
    )
    assert '#citation_title> "On graphs" <http://a.example/> .' in printed.stdout
    again = sundog(python, "resume", "found", "--budget", 5, cwd=tmp_path)
    assert again.returncode == 0


def test_the_template_passes_the_checks(python: Path) -> None:
    project = python.parent.parent.parent / "project"
    done = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", project / "tests", cwd=project)
    assert "4 passed" in done.stdout


def test_the_template_is_typed(python: Path) -> None:
    project = python.parent.parent.parent / "project"
    words = ("--strict", "--python-executable", python, "--cache-dir", project / "cache", "src", "tests")
    run(sys.executable, "-m", "mypy", *words, cwd=project)


# --- packages that are broken

BROKEN = {
    "imports-nothing": "no_such_module:Thing",
    "raises": "broken_plugin:raises",
    "no-policy": "broken_plugin:NUMBER",
    "half": "broken_plugin:Half",
    "bfs": "broken_plugin:Half",
}
SOURCE = """
NUMBER = 7
class Half:
    def scores(self, candidates): return []
def __getattr__(name):
    raise RuntimeError("the moon is\\nfull")
"""


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A folder for PYTHONPATH with a package that offers what cannot be used."""
    information = tmp_path / "packages" / "broken_plugin-1.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-plugin\nVersion: 1\n")
    groups = ("policies", "objectives", "exports", "extractors")
    entries = "".join(
        f"[sundog.{group}]\n" + "".join(f"{k} = {v}\n" for k, v in BROKEN.items()) for group in groups
    )
    (information / "entry_points.txt").write_text(entries)
    (information.parent / "broken_plugin.py").write_text(SOURCE)
    return information.parent


def with_broken(broken: Path, *words: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(broken), os.environ.get("PYTHONPATH", "")])
    done = run(sys.executable, "-m", "sundog", *words, cwd=broken.parent, code=code, PYTHONPATH=path)
    assert "Traceback" not in done.stderr
    return done


def test_a_broken_package_costs_its_own_names_only(broken: Path) -> None:
    assert with_broken(broken, "--help").stderr == ""
    listed = with_broken(broken, "policies")
    assert "sundog" in first_words(listed.stdout)
    assert not set(first_words(listed.stdout)) & {"raises", "no-policy", "half", "imports-nothing"}
    said = listed.stderr.splitlines()
    assert len(said) == len(BROKEN)
    assert all("of broken-plugin" in line for line in said)
    assert any("'bfs'" in line and "taken" in line for line in said)
    assert any("RuntimeError: the moon is full" in line for line in said)
    for command in ("objectives", "worlds"):
        with_broken(broken, command)
    (broken.parent / "page.html").write_text("<p itemscope itemtype='http://schema.org/Person'>")
    assert "schema.org/Person" in with_broken(broken, "extract", "page.html").stdout


def test_a_broken_policy_is_one_sentence(broken: Path, web: Path) -> None:
    failed = with_broken(broken, "simulate", web, "--policy", "half", "--budget", 10, code=1)
    (said,) = [line for line in failed.stderr.splitlines() if "taken" not in line]
    assert said == (
        "sundog: the plug-in 'half' (sundog.policies) of broken-plugin cannot be used (a policy has the methods"
        " scores(candidates) and learn(outcome); no learn is there): mend or uninstall broken-plugin"
    )
    assert (
        "unknown policy" in with_broken(broken, "simulate", web, "--policy", "hlf", "--budget", 10, code=2).stderr
    )


# --- objects as policies


class Longest:
    """The longest URL."""

    def __init__(self, *, seed: int = 0, sign: int = 1) -> None:
        self.seed, self.sign = seed, sign
        self.learned: list[PageOutcome] = []

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        return [float(self.sign * len(each.url)) for each in candidates]

    def learn(self, outcome: PageOutcome) -> None:
        self.learned.append(outcome)


SITE = "http://a.example/"
LINKS = [Link(f"{SITE}{'x' * n}", anchor=f"n{n}", tag_path="ul li a") for n in (3, 1, 2)]


def crawl(policy: Any, **parameters: Any) -> list[str]:
    session = CrawlSession(policy=policy, budget=9, **parameters)
    session.add([SITE])
    chosen = []
    while isinstance(decision := session.next_decision(), Decision):
        session.observe(decision, Fetched(2.0, LINKS) if decision.url == SITE else Failed("gone"))
        chosen.append(decision.url)
    return chosen


def test_an_object_chooses_and_learns() -> None:
    policy = Longest(seed=4)
    assert crawl(policy) == [SITE, f"{SITE}xxx", f"{SITE}xx", f"{SITE}x"]
    assert policy.seed == 4
    assert policy.learned[0] == PageOutcome(Candidate(SITE, "a.example"), 2.0)
    last = Candidate(f"{SITE}x", "a.example", "n1", "ul li a", SITE, 2.0)
    assert policy.learned[-1] == PageOutcome(last, 0.0)


def test_a_class_gets_its_parameters_and_the_seed() -> None:
    assert crawl(Longest, sign=-1) == [SITE, f"{SITE}x", f"{SITE}xx", f"{SITE}xxx"]
    made: list[Longest] = []

    def make(seed: int = 0, sign: int = 1) -> Longest:
        made.append(Longest(seed=seed, sign=sign))
        return made[-1]

    crawl(make, seed=11, sign="2")
    assert [(each.seed, each.sign) for each in made] == [(11, 2)]
    with pytest.raises(UsageError, match="did you mean 'sign'"):
        crawl(Longest, sing=1)


def test_it_is_simulated(web: Path) -> None:
    run = simulate(web, Longest, budget=50)
    assert (run.policy, run.fetched) == ("Longest", 50)
    assert simulate(web, Longest(), budget=50).curve == run.curve


class Learns(Longest):
    """Whatever was good: scores of what waits change with every outcome."""

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        good = {each.candidate.anchor for each in self.learned if each.relevant}
        return [float(each.anchor in good) for each in candidates]


def test_what_was_learned_counts_at_once() -> None:
    """200 links in turn; as soon as one of the good ones was fetched, good ones come first."""
    links = [Link(f"{SITE}{n}", anchor=("good", "bad", "worse", "worst")[n % 4]) for n in range(200)]
    session = CrawlSession(policy=Learns, budget=51)
    session.add([SITE])
    chosen = []
    while isinstance(decision := session.next_decision(), Decision):
        number = decision.url.removeprefix(SITE)
        good = bool(number) and int(number) % 4 == 0
        session.observe(decision, Fetched(float(good), () if number else links))
        chosen.append(good)
    assert sum(chosen) >= 45


def test_the_checks_find_what_is_wrong() -> None:
    check_policy(Longest)

    class TooFew(Longest):
        """Forgets one."""

        def scores(self, candidates: Sequence[Candidate]) -> list[float]:
            return [1.0] * (len(candidates) - 1)

    class Counts(Longest):
        """Changes when it is asked."""

        def scores(self, candidates: Sequence[Candidate]) -> list[float]:
            self.sign += 1
            return super().scores(candidates)

    for wrong in (TooFew, Counts):
        with pytest.raises(AssertionError):
            check_policy(wrong)


def test_faults_of_an_object_name_it_and_leave_the_lease() -> None:
    class Raises(Longest):
        """Fails at the third page."""

        def learn(self, outcome: PageOutcome) -> None:
            raise KeyError("x")

    session = CrawlSession(policy=Raises, budget=5)
    session.add([SITE])
    decision = session.next_decision()
    assert isinstance(decision, Decision)
    with pytest.raises(SundogError, match=r"policy 'Raises' failed in learn\(\): KeyError: 'x'"):
        session.observe(decision, Fetched(1.0, LINKS))
    assert (session.fetched, session.in_flight, session.queued) == (0, 1, 0)

    class Odd(Longest):
        """Gives what are no scores."""

        def scores(self, candidates: Sequence[Candidate]) -> list[float]:
            return [float("nan")] * len(candidates)

    with pytest.raises(SundogError, match="infinite or nan"):
        CrawlSession(policy=Odd, budget=5).add([SITE])


@pytest.mark.parametrize("wrong", [7, object(), None, dict])
def test_what_is_no_policy_is_refused(wrong: Any) -> None:
    with pytest.raises(UsageError, match="scores"):
        CrawlSession(policy=wrong, budget=5)
