"""Prove that the deep chains are those that brute force finds."""

from itertools import permutations

from random_stories import deep_chapters, kept, reached_by

from builders.story.deep_chains import (
    ANY_KIND,
    CLAIM,
    LAST_SHARED_DIFFERS,
    SIGHTING,
    SWAP_DIFFERS,
    WATCH,
    deep_chains,
    kind_of,
)
from builders.story.drafts import draft_lessons
from builders.story.meaning import teacher
from builders.story.structure import effective_order, order_sensitive
from builders.story.subchains import beliefs, container_of


def test_deep_chains_are_those_that_brute_force_finds():
    count = 0
    for i in range(150):
        lessons = draft_lessons(deep_chapters(i))
        for kinds, pair in (
            ([ANY_KIND] * 4, None),
            ([(SIGHTING, CLAIM), (WATCH,), ANY_KIND], None),
            ([ANY_KIND] * 3, SWAP_DIFFERS),
            ([ANY_KIND] * 3, LAST_SHARED_DIFFERS),
        ):
            expected = set()
            for chain in permutations(range(5), len(kinds)):
                believers = beliefs(lessons, chain, "recursive")
                whole = 2 ** len(kinds) - 1
                suffixes = [whole ^ 2 ** (len(kinds) - k) - 1 for k in range(1, len(kinds) + 1)]
                last = [lesson for lesson in lessons if reached_by(lesson).issuperset(chain[-2:])][-1]
                if (
                    all(effective_order(believers, len(kinds), suffix) == suffix.bit_count() for suffix in suffixes)
                    and all(
                        kind_of(teacher(lessons, kept(chain, suffix), "recursive"), kept(chain, suffix)) in allowed
                        for suffix, allowed in zip(suffixes, kinds, strict=True)
                    )
                    and not (pair == SWAP_DIFFERS and not order_sensitive(lessons, chain[-2:], "recursive"))
                    and not (pair == LAST_SHARED_DIFFERS and last.container == container_of(believers, suffixes[1]))
                ):
                    expected.add(chain)
            chains = deep_chains(lessons, 5, kinds, pair)
            assert len({len(chain) for chain in chains}) == 1 and len(set(chains)) == len(chains)
            assert expected == {chain for chain in chains if len(chain) == len(kinds)}
            count += len(expected)
    assert count > 100
