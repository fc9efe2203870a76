"""Pages that wait, by rank and in pools, compared with plain dictionaries."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from sundog.policies.published.python_chooser import Pools, Ranked

HOSTS = 4
ACTIONS = st.lists(
    st.tuples(st.sampled_from("add remove sleep wake rate".split()), st.integers(0, 30)), max_size=60
)


@given(ACTIONS)
def test_the_best_of_what_is_awake_is_that_of_a_scan(actions: list[tuple[str, int]]) -> None:
    ranked, scores, order, asleep = Ranked(), {}, {}, set()
    for action, number in actions:
        host = number % HOSTS
        if action == "add" and number not in scores:
            scores[number] = float(number % 3)
            order.setdefault(number, len(order))
            ranked.add(number, host, scores[number])
        elif action == "remove" and number in scores:
            del scores[number]
            ranked.remove(number, host)
        elif action in ("sleep", "wake"):
            (asleep.add if action == "sleep" else asleep.discard)(host)
            ranked.set_asleep(host, action == "sleep")
        elif action == "rate":
            scores = {one: float((one + number) % 4) for one in scores}
            ranked.rate_all(lambda some, scores=scores: [scores[one] for one in some], lambda one: one % HOSTS)
        awake = [one for one in scores if one % HOSTS not in asleep]
        assert ranked.best() == min(awake, key=lambda one: (-scores[one], order[one]), default=-1)


@given(ACTIONS)
def test_pools_count_and_draw_what_is_awake(actions: list[tuple[str, int]]) -> None:
    pools, members, asleep, rng = Pools(), {}, set(), random.Random(1)
    for action, number in actions:
        host, pool = number % HOSTS, number % 3
        if action == "add" and number not in members:
            members[number] = pool
            pools.add(pool, number, host)
        elif action == "remove" and number in members:
            pools.remove(members.pop(number), number, host)
        elif action in ("sleep", "wake"):
            (asleep.add if action == "sleep" else asleep.discard)(host)
            pools.set_asleep(host, action == "sleep")
        pools.make_room(3)
        for each in range(3):
            awake = {one for one in members if members[one] == each and one % HOSTS not in asleep}
            assert pools.awake[each] == len(awake)
            if awake:
                assert pools.draw(each, rng, lambda one: one % HOSTS not in asleep) in awake
