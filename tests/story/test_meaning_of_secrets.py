"""Prove what watchers, eavesdroppers, and those told of thoughts believe, on stories worked out by hand.

A letter stands for the agent with this initial, and a chain of letters for the question about these agents.
"""

from itertools import chain as joined

import pytest
from random_stories import held, told

from tom_datasets.story.meaning import belief
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Enter, Overhear, Report, Story, Watch


def assert_beliefs(text, beliefs):
    """Assert what chains believe: `beliefs` are chains in one string by the container, or "nowhere"; "-" is empty.

    Lines get their numbers here.
    """
    story, names = told(" ".join(f"{number} {line}." for number, line in enumerate(text.rstrip(". ").split(". "), 1)))
    check(story)
    agents, named = {name[0]: agent for agent, name in enumerate(names.agents)}, {None: "nowhere"}
    named |= dict(enumerate(names.containers))
    chains = {tuple(agents[letter] for letter in letters.strip("-")): (letters, container)
              for container, several in beliefs.items() for letters in several.split()}  # fmt: skip
    assert len(chains) == len([*joined.from_iterable(several.split() for several in beliefs.values())])
    for chain, (letters, container) in chains.items():
        assert named[held(story, chain)] == container, letters


ONE_WATCHES = (
    "Ann, Ben, Cleo and Dan entered the hall. The pear is in the box. Ann exited the hall. Ann secretly watched the "
    "hall from outside. Ben moved the pear to the crate. Ben exited the hall. Cleo moved the pear to the drawer. "
    "Cleo exited the hall. Dan moved the pear to the tub. Dan exited the hall. Ann, Ben, Cleo and Dan entered the "
    "waiting_room."
)
"""All see the box. Ben, Cleo and Dan see the crate, Cleo and Dan the drawer, Dan the tub. Ann sees all, in secret."""


ONE_IS_LIED_TO = (
    "Ann, Ben, Cleo and Dan entered the hall. The pear is in the box. Ann, Ben, Cleo and Dan entered the waiting_room. "
    "Ann, Ben and Cleo entered the hall. Dan secretly watched the hall from outside. Ann moved the pear to the "
    "crate. Ann exited the hall. Ben exited the hall. Cleo exited the hall. Ann, Ben and Cleo entered the "
    "waiting_room. Cleo privately told Ben and Dan that the pear is in the tub now."
)
"""Ben left before Cleo and trusts her. The others take Dan to trust her too, but he watched. Ann is not told."""


NOTICED = (
    "Ann, Ben, Cleo, Dan and Eve entered the hall. The pear is in the box. Ann exited the hall. Ann secretly watched "
    "the hall from outside. Ben exited the hall. Ben secretly watched the hall from outside, and noticed "
    "Ann watching it. Cleo exited the hall. Cleo secretly watched the hall from outside, and noticed Ann and Ben "
    "watching it. Dan moved the pear to the crate. Dan exited the hall. Eve exited the hall. "
)
"""Cleo knows of Ben and Ann, and Ben of Ann, when the pear is put into the crate before Dan and Eve."""


LEAVING = (
    "Ann, Ben, Cleo, Dan and Eve entered the hall. The pear is in the box. Ann exited the hall. Ben exited the hall. "
    "Cleo exited the hall. Dan exited the hall. Eve exited the hall. "
)
"""All have the pear in the box. Each trusts those who left later, whose names come later in the alphabet."""


@pytest.mark.parametrize(
    ("text", "beliefs"),
    [
        pytest.param(
            ONE_WATCHES,
            {
                "tub": "- A D AD", "drawer": "C AC CD ACD", "crate": "B AB BC BD ABC ABD BCD ABCD",
                "box": "DA CA BA DCA DBA CBA DCBA",
            },
            id="who watches knows what those inside see, to any depth, and they know nothing of her",
        ),
        pytest.param(
            ONE_IS_LIED_TO,
            {
                # Ben takes Cleo at her word, as Dan knows. Cleo does not persuade herself, nor Dan, who saw her lie.
                "tub": "B BC DB DBC BD CD BCD", "crate": "- A C D DA DC AB AC DAB DAC ABC DABC",
                # Ann does not know that Dan saw the crate, or that he was told.
                "box": "AD ABD ACD ABCD",
            },
            id="who watches does not trust, and the others take him to",
        ),
        pytest.param(
            "Ann, Ben, Cleo, Dan and Eve entered the hall. The pear is in the box. Ann, Ben, Cleo, Dan and Eve entered "
            "the waiting_room. Ann, Ben and Cleo entered the hall. Dan secretly watched the hall from outside. "
            "Eve secretly watched the hall from outside. Ann moved the pear to the crate. Ann exited the hall. "
            "Ben exited the hall. Cleo moved the pear to the drawer. Cleo exited the hall. Ann, Ben and Cleo entered "
            "the waiting_room. Ben publicly claimed that the pear is in the tub now. Cleo privately told Ann and Eve "
            "that the pear is in the jar now.",
            {
                # Ann trusts both; Cleo's claim comes later. Eve, who watched like Dan, knows that Ben lied.
                "jar": "A EA", "drawer": "- C D E DC EC", "crate": "B EB DB CB ECB DCB",
                # Neither knows that the other watched: in Eve's eyes Dan takes Ben at his word.
                "tub": "ED DE DA BA EDB EDA EBA DBA EDBA DEB",
                # Dan does not know that Eve saw Cleo see anything, nor that she was told by Cleo.
                "box": "DEC DECB",
            },
            id="who watches knows of no other whom he has not noticed",
        ),
        pytest.param(
            NOTICED,
            {
                "crate": "- A B C D E CB BA CA CBA CBAD CBADE CBE CAED BAD BDE",
                # Whoever is noticed, or inside, knows of none of them.
                "box": "AB AC BC ABC CAB BAC BCA DA EB DCB CDA CBDA",
            },
            id="noticing, one and two levels deep",
        ),
        pytest.param(
            NOTICED.replace("outside, and noticed Ann watching it", "outside"),
            {"crate": "B A C CA CB CAD CBE", "box": "BA CBA CAB AB"},
            id="who is noticed beside another has not noticed her",
        ),
        pytest.param(
            NOTICED.replace("and noticed Ann and Ben", "and noticed Ann"),
            {"crate": "C CA BA CAD BAD", "box": "CB CBA CAB"},
            id="she alone is noticed by two, who do not know of one another",
        ),
        pytest.param(
            "Ann, Ben and Cleo entered the hall. The pear is in the box. Ann exited the hall. Ann secretly watched the "
            "hall from outside. Ben moved the pear to the crate. Ben exited the hall. Ben secretly watched the "
            "hall from outside, and noticed Ann watching it. Cleo exited the hall. Ben entered the hall. Ann "
            "secretly watched the hall from outside. Ben moved the pear to the jar.",
            # In the next chapter nobody watches unless a line says so, and nobody has noticed anybody.
            {"jar": "- A B AB", "box": "BA", "crate": "C AC ABC BC"},
            id="noticing begins with its line and ends with the chapter",
        ),
        pytest.param(
            NOTICED + "Eve publicly claimed that the pear is in the tub now.",
            {
                # All left before Eve. The three who watched do not trust her, as those know who noticed them.
                "crate": "A B C BA CA CB CBA AE BE BAE CBAE",
                # Nobody else knows it, and so judges by who left when, or, like Eve, takes all whom she told to trust.
                "tub": "D AB AC BC CAB BAC DA DBA EA EBA CDA ABE DAE CABE DE DEA BED EBD CBEA",
            },
            id="distrust is known along those who noticed one another",
        ),
        pytest.param(
            NOTICED + "Cleo privately told Ben that the pear is in the tub now",
            # Cleo knows that Ben watched, and takes him to believe her all the same; Ben knows this too.
            {"tub": "CB", "crate": "B C", "box": "BC AB ACB"},
            id="a speaker is wrong about those whom she tells, even where she noticed them",
        ),
        pytest.param(
            NOTICED + "Eve privately told Dan that the pear is in the tub now. Ann overheard this unnoticed. Ben "
            "overheard this unnoticed, and noticed Ann listening. Cleo overheard this unnoticed, and noticed Ben and "
            "Ann listening",
            {"crate": "A B C BA CA CB CBA", "tub": "D AD BAD CBADE CAED", "box": "AB DA EA"},
            id="eavesdroppers who watched",
        ),
        pytest.param(
            LEAVING + "Dan privately told Cleo that the pear is in the tub now. Ann overheard this unnoticed. Ben "
            "overheard this unnoticed, and noticed Ann listening",
            {
                "tub": "A B C CD DC AC AD ADC ACD BA BAC BAD BADC BACD BC BDC",
                # Nobody else knows of the two; so Dan is not wrong about them either.
                "box": "- D E AB CA CB DA DB BCA BDA ADB ABC EC AE",
            },
            id="overhearing, noticed and not noticed",
        ),
        pytest.param(
            LEAVING + "Dan privately told Cleo that the pear is in the tub now. Eve overheard this unnoticed. Ben "
            "overheard this unnoticed, and noticed Eve listening. Ann overheard this unnoticed",
            # Eve left last and does not trust Dan; but she knows that Cleo does, and what Dan takes Cleo to think.
            {"tub": "B A EC ECD EDC BEC BEDC BD", "box": "E ED BE BED AB AE BEA EB DE"},
            id="an eavesdropper who does not trust",
        ),
        pytest.param(
            LEAVING.replace("Cleo exited", "Ann secretly watched the hall from outside. Ben secretly watched the "
            "hall from outside. Cleo exited") + "Dan privately told Cleo that the pear is in the tub now. Ann "
            "overheard this unnoticed. Ben overheard this unnoticed, and noticed Ann listening",
            {"tub": "BA BAC AC BC ADC BAD", "box": "A B AD BD"},
            id="who noticed her listening does not know that she watched",
        ),
        pytest.param(
            LEAVING + "Dan privately told Cleo that Eve thinks the pear is in the tub now. Ann overheard this "
            "unnoticed. Ben overheard this unnoticed, and noticed Ann listening",
            {
                "tub": "AE ACE ADE ADCE BE BAE BACE CE CDE DCE",
                "box": "E A B C AC BA DE CAE DAE ABE AEC",
            },
            id="overhearing a claim about thoughts",
        ),
        pytest.param(
            LEAVING + "Ben privately told Ann and Cleo that Dan thinks Eve thinks the pear is in the tub now",
            {
                # Ann trusts Ben, and Cleo does not. Ben takes both to believe him.
                "tub": "ADE ABDE BADE BCDE CADE ABCDE",
                # Neither do others learn of it, nor is it about anything else than Dan's thoughts about Eve's.
                "box": "CDE CBDE ACDE BDE BACDE DE D E A AD AE AED BAED ADC AC",
            },
            id="claims about thoughts, believed and not",
        ),
        pytest.param(
            LEAVING + "Cleo privately told Ann that Dan thinks Eve thinks the pear is in the jar now. Dan publicly "
            "claimed that the pear is in the crate now. Ben privately told Ann that Dan thinks the pear is in the tub "
            "now. Eve privately told Ann that Dan thinks the pear is in the vase now",
            # The later line that counts decides, whatever it is. All believe Dan but Eve, and he takes her to.
            {"vase": "AD EAD AED", "tub": "BAD ABD", "crate": "A ADE DE CD CAD CADE", "box": "E"},
            id="claims about thoughts, and about the thing",
        ),
        pytest.param(
            NOTICED + "Eve privately told Ann and Ben that Dan thinks the pear is in the tub now",
            # Ann and Ben watched. Ann does not know that Ben did.
            {"tub": "ABD EAD EBD BEAD", "crate": "AD BAD BD A B D"},
            id="watchers are told of thoughts",
        ),
        pytest.param(
            "Ann, Ben and Cleo entered the hall. The pear is in the box. Ben exited the hall. Ann moved the pear to "
            "the crate. Ann exited the hall. Ann secretly watched the hall from outside. Cleo exited the hall. "
            "Ben entered the hall. Cleo secretly watched the hall from outside. The pear is in the crate.",
            # Ann watches no longer when Ben enters. Cleo sees the last line, and the others do not know it.
            {"crate": "A B C AC CB", "box": "AB BA BC CBA CAB ABC"},
            id="a later chapter begins where the thing was left",
        ),
        pytest.param(
            "Ann and Ben entered the hall. The pear is in the box. Ann moved the pear to the crate. Cleo secretly "
            "watched the hall from outside. Ann and Ben entered the waiting_room. Ben entered the hall. Ben "
            "moved the pear to the jar. Ben privately told Cleo that the pear is in the tub now.",
            # Cleo has seen nothing. In the next chapter she is an outsider as others are, and trusts Ben.
            {"jar": "- B", "tub": "C CB BC", "nowhere": "CA AC", "crate": "A AB BA"},
            id="watching begins with its line and ends with the chapter",
        ),
        pytest.param(
            "Ann entered the hall. The pear is in the box. Ann privately told Cleo that the pear is in the tub now. "
            "Cleo secretly watched the hall from outside. Ann privately told Cleo that the pear is in the jar",
            {"tub": "C CA", "jar": "AC", "box": "A"},
            id="a claim made before she watches is believed",
        ),
        pytest.param(
            "Ann, Ben and Cleo entered the hall. The pear is in the box. Ben exited the hall. Ann exited the hall. Ann "
            "secretly watched the hall from outside. Cleo moved the pear to the crate. Cleo exited the hall. Ben "
            "privately told Ann and Cleo that the pear is in the tub now.",
            {"crate": "A AC", "box": "CA", "tub": "BA BC"},
            id="others take her not to trust who left before her, had she not watched",
        ),
        pytest.param(
            "Ann and Ben entered the hall. The pear is in the box. Cleo entered the attic. Dan secretly watched the "
            "attic from outside. Ben moved the pear to the crate. Ben privately told Ann that the pear is in the "
            "tub now. Ben privately told Ann that the fig is in the jar now. Cleo overheard this unnoticed.",
            # Neither has left, so Ann does not trust Ben; he takes her to.
            {"crate": "A AB", "tub": "BA", "nowhere": "D DB C CA CBA"},
            id="watching another room, and overhearing of another thing",
        ),
    ],
)  # fmt: skip
def test_stories_worked_by_hand(text, beliefs):
    assert_beliefs(text, beliefs)


@pytest.mark.parametrize("event", [Watch(1, 1, ()), Overhear(1, ()), Report(0, (1,), (2,), 0, 0)])
def test_the_published_semantics_has_none_of_them(event):
    with pytest.raises(ValueError) as raised:
        belief(Story(3, (Enter((0,), 1), event)), (0,), 0, "published")
    assert str(raised.value) == (
        "the published semantics has no rule for watchers, eavesdroppers or claims about thoughts, which the released "
        "generator does not have: use 'recursive'"
    )
