"""The examples for clusters in docs/cluster.md: as far as they can be checked without one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import ray
import yaml

DOCS = Path(__file__).resolve().parents[3] / "docs" / "cluster.md"


def examples() -> list[dict[str, Any]]:
    return [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", DOCS.read_text(), re.DOTALL)]


def test_ray_up_by_ray_s_own_schema() -> None:
    schema = json.loads((Path(ray.__file__).parent / "autoscaler" / "ray-schema.json").read_text())
    jsonschema.validate(examples()[0], schema)


def test_kuberay() -> None:
    """One pod template for head and workers, on the disk that the crawl is written to, with enough workers."""
    job = examples()[1]
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    cluster = job["spec"]["rayClusterSpec"]
    assert cluster["rayVersion"] == ray.__version__
    (group,) = cluster["workerGroupSpecs"]
    assert group["template"] == cluster["headGroupSpec"]["template"]
    pod = group["template"]["spec"]
    (mount,) = pod["containers"][0]["volumeMounts"]
    assert mount["name"] == pod["volumes"][0]["name"]
    words = job["spec"]["entrypoint"].split()
    assert words[words.index("--out") + 1].startswith(mount["mountPath"])
    cpus = int(pod["containers"][0]["resources"]["limits"]["cpu"])
    assert int(words[words.index("--shards") + 1]) <= cpus * group["replicas"]
