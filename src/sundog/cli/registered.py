"""``sundog policies``, ``objectives`` and ``worlds``: what is registered, one line each."""

from __future__ import annotations

from sundog.cli.options import AsJson
from sundog.cli.terminal import print_json, print_list


def policies_command(as_json: AsJson = False) -> None:
    """List the policies, one line each, with the parameters that --set reaches."""
    from sundog.policies.presets import all_policies

    policies = all_policies()
    if as_json:
        print_json({name: {"summary": p.summary, "parameters": p.accepts} for name, p in policies.items()})
        return
    print_list({name: policy.summary for name, policy in policies.items()})


def objectives_command(as_json: AsJson = False) -> None:
    """List what --for may ask for, one line each."""
    from sundog.objectives.registry import all_conditions

    conditions = all_conditions()
    if as_json:
        print_json({each.form: {"summary": each.summary, "example": each.example} for each in conditions})
        return
    print_list({each.form: each.summary for each in conditions})


def worlds_command(as_json: AsJson = False) -> None:
    """List where pages can come from, one line each."""
    from sundog.spec.crawl import world_kinds
    from sundog.worlds.synthetic.registry import profile_summaries

    worlds = {
        **{name: kind.summary for name, kind in world_kinds().items()},
        "parquet": "a directory with pages.parquet and links.parquet, also an exported crawl: sundog simulate",
        "tsv": "a directory with index.tsv, network.tsv and labels.tsv, each perhaps .gz: sundog simulate",
        "snap": "an edge list *.txt[.gz], with scores.tsv beside it if nodes have scores: sundog simulate",
        "csv": "links between URLs, *.csv or *.tsv, perhaps .gz: source,target[,label]: sundog simulate",
        **{f"synth {name}": summary for name, summary in profile_summaries().items()},
    }
    if as_json:
        print_json(worlds)
        return
    print_list(worlds)
