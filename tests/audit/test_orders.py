"""Work out by hand what the rules about order blocks see, and what they answer."""

from audit.samples import problem_of

from tom_datasets.audit.orders import order_features, order_guesses, order_needs
from tom_datasets.audit.problems import problem_guesses, stated_fact
from tom_datasets.proof.read_problems import read_problem
from tom_datasets.syntax.formula import And, Atom, Knows, KnowsWhether, Not, Or, Shown

SCENE = "There are three persons. Everyone is visible to others. It is publicly announced that someone is thirsty."
TOLD = "In front of all, Ann alone is told whether Bob is thirsty."
UNSURE = "It is publicly announced that Ann does not know whether everyone is thirsty."
NAMES = ("Ann", "Bob", "Cid")


def posed(*sentences, hypothesis="Bob now knows whether everyone is thirsty."):
    """Return a problem of three thirsty persons."""
    return read_problem(" ".join((SCENE, *sentences)), hypothesis, NAMES)[0]


def test_what_rules_that_forget_announcements_answer():
    """Told that Bob is thirsty, only a thirsty Ann does not know: so Ann and Bob are. Before, Ann is."""
    late, early = posed(TOLD, UNSURE), posed(UNSURE, TOLD)
    claim = "Cid now knows that Bob is thirsty."
    assert order_guesses(posed(TOLD, UNSURE, hypothesis=claim))["all but the last"] is False
    assert order_guesses(posed(TOLD, UNSURE, hypothesis=claim))["last two"] is True
    assert order_guesses(posed(UNSURE, TOLD, hypothesis=claim))["last two"] is False
    assert problem_guesses(late)["all at once"] == problem_guesses(early)["all at once"]
    needs = order_needs(posed(TOLD, UNSURE, hypothesis=claim), True)
    assert needs == {"needs two": True, "needs three": False, "order matters": True}


def test_what_is_heard_first_or_last():
    """Once two are known to be thirsty, nobody is unsure whether all are: no world is left, and everything follows."""
    count = "It is publicly announced that exactly two persons are thirsty."
    for claim, last in (("Cid now knows that Ann is thirsty.", True), ("Cid now knows that Bob is thirsty.", False)):
        for said in ((UNSURE, count), (count, UNSURE)):
            guesses = order_guesses(posed(*said, hypothesis=claim))
            assert guesses["facts last"] is last and guesses["facts first"] is True
    assert order_guesses(posed(count, hypothesis="Ann now knows that Bob is thirsty."))["inner part"] is False


def test_what_learners_see_of_the_order():
    seen = order_features(("h a.", "h b.", "h c.", "h d."), 3)
    other = order_features(("h a.", "h c.", "h b.", "h d."), 3)
    assert seen["set of sentences"] == other["set of sentences"]
    assert seen["first sentence"] == ("h b.",) and seen["last sentence"] == other["last sentence"] == ("h d.",)
    assert seen["placed sentences"] == ("0 h b.", "1 h c.", "2 h d.")
    assert seen["ordered pairs"] == ("h b. h c.", "h b. h d.", "h c. h d.")


def test_which_facts_are_stated():
    two, atom = And((Atom(1), Atom(2))), Atom(1)
    for fact in (atom, Not(atom), two, Not(two), Or((Atom(1), Atom(2)))):
        assert stated_fact(fact) == fact == stated_fact(Knows("Agenta", fact))
    unsure = Not(KnowsWhether("Agenta", atom))
    silence = And((unsure, Not(KnowsWhether("Agentb", atom))))
    for update in (unsure, silence, Knows("Agentb", unsure), Not(Knows("Agenta", atom)), Shown("Agenta", 1)):
        assert stated_fact(update) is None


def test_only_order_blocks_are_asked_about_their_order():
    assert "first only" not in problem_of("Ann can now know that Bob is thirsty.").outcomes()
