"""SMCDEL's language in its two notations, its answers, and the program: a model checker for epistemic logic.

Source: Gattinger, https://github.com/jrclogic/SMCDEL. Behaviour follows recordings of version 1.3.0, which are in
`tests/logic/smcdel/`.
"""
