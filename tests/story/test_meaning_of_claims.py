"""Prove which chains a claim teaches, against truth tables worked out by hand; both engines must say so."""

import pytest
from random_stories import chains, held

from tom_datasets.story.meaning import SEMANTICS
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Enter, Exit, Place, Story, Tell

# All four agents see the thing in container 0. Then a chapter begins without D, who stays in the waiting room.
# A leaves first, then B, then C. So A trusts B and C, B trusts C, and C trusts nobody. D trusts A, B and C.
# Nobody trusts D, who was not in this chapter's room. A chain that a claim does not teach believes in container 0.
A, B, C, D = range(4)


CHAPTER = (
    Enter((A, B, C, D), 1),
    Place(0, 0),
    Enter((A, B, C, D), 0),
    Enter((A, B, C), 1),
    Exit(A, 1),
    Exit(B, 1),
    Exit(C, 1),
)


@pytest.mark.parametrize(
    ("claim", "recursive", "published"),
    [
        # B claims it to everyone. All agents hear it, so only the last agent and the one before him matter.
        pytest.param(
            Tell(B, (), 0, 9),
            # Order 1: A and D trust B; C does not; B's own words do not persuade B.
            "A D "
            # Order 2, last A or D: they trust. Last C: only in the eyes of B. Last B: only for one who trusts B.
            "BA CA DA AD BD CD BC AB DB "
            # Order 3, last A or D: all twelve.
            "BCA CBA BDA DBA CDA DCA ABD BAD ACD CAD BCD CBD "
            # Last C: right after B, so not ADC and DAC, nor BAC and BDC: A and D know that C does not trust B, and B
            # knows that they know. Last B: after A or D, not after C (ACB, DCB).
            "ABC DBC CAB ADB DAB CDB "
            # Order 4, last A, D: all twelve; last C: right after B; last B: not after C (ADCB, DACB).
            "BCDA BDCA CBDA CDBA DBCA DCBA ABCD ACBD BACD BCAD CABD CBAD "
            "ADBC DABC CDAB DCAB ACDB CADB",
            # Trusting x: (x), (x, s); every d ≠ s: (s, d). Nothing of higher order.
            "A D AB DB BA BC BD",
            id="B publicly",
        ),
        # Nobody trusts D, so no belief of order 1 changes. But D takes all hearers to be convinced, as all others know:
        # the claim teaches every chain whose last but one is D. Nobody else makes that mistake, so not DAB or DABC.
        pytest.param(
            Tell(D, (), 0, 9),
            "DA DB DC ADB ADC BDA BDC CDA CDB ABDC BADC ACDB CADB BCDA CBDA",
            "DA DB DC",
            id="D publicly",
        ),
        # C tells B, who trusts C. Only chains of these two.
        pytest.param(Tell(C, (B,), 0, 9), "B BC CB", "B BC CB", id="C to B"),
        # B tells C, who does not trust him; B takes C to be convinced.
        pytest.param(Tell(B, (C,), 0, 9), "BC", "BC", id="B to C"),
        # A tells D, who was not there and trusts.
        pytest.param(Tell(A, (D,), 0, 9), "D DA AD", "D DA AD", id="A to D"),
        # D tells A, who does not trust an outsider.
        pytest.param(Tell(D, (A,), 0, 9), "DA", "DA", id="D to A"),
        # B tells A, who trusts, and C, who does not. Of the chains of these three it does not teach AC, BAC, CB
        # and ACB: A knows that C does not trust B, as B knows; in CB and ACB, C takes B to lie.
        pytest.param(
            Tell(B, (A, C), 0, 9), "A AB BA BC CA BCA CBA ABC CAB", "A AB BA BC", id="B to A and C"
        ),
    ],
)  # fmt: skip
def test_the_truth_table_of_a_claim(claim, recursive, published):
    story = Story(4, (*CHAPTER, claim))
    check(story)
    for semantics, table in (("recursive", recursive), ("published", published)):
        expected = set(table.split())
        assert len(expected) == len(table.split())
        for chain in chains(4, 4):
            name = "".join("ABCD"[agent] for agent in chain)
            assert held(story, chain, 0, semantics) == (9 if name in expected else 0), (name, semantics)


@pytest.mark.parametrize("semantics", SEMANTICS)
@pytest.mark.parametrize(
    ("before", "speaker", "trusting"),
    [
        # Who has not left counts as leaving last; two such agents do not trust each other.
        ((Enter((A, B, C), 1),), A, [D]),
        ((Enter((A, B, C), 1), Exit(B, 1)), A, [B, D]),
        ((Enter((A, B, C), 1), Exit(A, 1)), A, [D]),
        # Two who leave by one event leave at the same time.
        ((Enter((A, B, C), 1), Exit(C, 1), Enter((A, B), 0)), A, [C, D]),
        # An agent who enters another room leaves this one; but then that room's chapter begins.
        ((Enter((A, B, C), 1), Enter((B,), 0), Exit(A, 1)), A, [B, D]),
        ((Enter((A, B, C), 1), Exit(B, 1), Enter((A,), 2)), A, [B, C, D]),
        ((Enter((A, B, C), 1), Exit(B, 1), Enter((A,), 2)), C, []),
        # Entering the waiting room starts no chapter, and leaving it does not count as leaving the chapter's room.
        ((Enter((A, B, C), 1), Enter((A,), 0), Enter((B,), 0), Exit(A, 0)), B, [A, D]),
        # A later Enter into the same room starts a chapter with those who are in it then.
        ((Enter((A, B), 1), Exit(A, 1), Enter((C,), 1)), B, [A, D]),
        ((Enter((A, B), 1), Exit(A, 1), Enter((C,), 1)), A, []),
        # Before any chapter nobody trusts anybody.
        ((Enter((A, B, C), 0),), A, []),
        ((), A, []),
    ],
)
def test_who_trusts_whom(before, speaker, trusting, semantics):
    for agent in {A, B, C, D} - {speaker}:
        story = Story(4, (*before, Tell(speaker, (agent,), 0, 9)))
        assert held(story, (agent,), 0, semantics) == (9 if agent in trusting else None), agent
    story = Story(4, (*before, Tell(speaker, (), 0, 9)))
    assert [agent for agent in range(4) if held(story, (agent,), 0, semantics) == 9] == trusting


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_the_later_of_two_events_wins(semantics):
    """B claims 8 to all, C tells A 9, and A trusts both. Then A comes in and sees the thing in container 0."""
    claims = (*CHAPTER, Tell(B, (), 0, 8), Tell(C, (A,), 0, 9))
    assert held(Story(4, claims), (A,), 0, semantics) == 9
    assert held(Story(4, claims), (D,), 0, semantics) == 8
    assert held(Story(4, claims), (A, B), 0, semantics) == 8
    assert held(Story(4, claims), (A, C), 0, semantics) == 9
    seen = (*claims, Enter((A,), 1))
    assert held(Story(4, seen), (A,), 0, semantics) == 0
    assert held(Story(4, seen), (D,), 0, semantics) == 8
    assert held(Story(4, claims), (), 0, semantics) == 0
