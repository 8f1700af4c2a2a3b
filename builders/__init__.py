"""Make theory-of-mind datasets from a seed.

    streams         named random streams: a key in, a Random out
    story           Hi-ToM syntax: events, Story, Question
    belief          Hi-ToM meaning: teaches(lesson, chain), belief(story, chain, thing)
    story_sampler   a stream in, a Story and the chain it is asked about out; the plan of a split
    formula         epistemic logic syntax: Formula, Structure, Problem
    problem_sampler a stream in, problems and blocks of four of them out; the plan of all splits of a setup
    s5              its meaning, embedded: worlds as bits, and as decision diagrams when there are many atoms
    smcdel          its meaning, external: the SMCDEL language and the SMCDEL program
    voice           Jinja: say(event) in a language
    prompts         what a model is asked: a row in, a prompt out; the tasks for the harnesses ask the same
    reader          English in, Story or Problem out, and a second label; only proof imports it
    difficulty      what makes a row hard for a trained probe: its prediction, its confidence
    trainer         how a probe is trained; the only room that knows torch
    audit           what could be guessed without reading: baselines, intervals and gates
    responses       what a model answered: a reply in, a choice out; how often it is right, and what that depends on
    pictures        matplotlib: the audit, the difficulty and the scores, drawn
    card            the card of a folder: its YAML, what its prose can count in the Parquet, worked examples
    folder          the folder that is a Hub repository: Parquet, card, record of the build
    proof           the proofs of labels, ours and published: the formal column by a checker, the English by reader
    __main__        the command line

`hi_tom.py` and `mindgames.py` beside this folder are the dataset builders: config, features, splits, rows. Imports
point one way, from the words of the theory to the command line; `tests/test_walls.py` reads them.
"""

GENERATOR_VERSION = "1.0.0"
"""Changes whenever the same config, seed, split and index give another row."""
