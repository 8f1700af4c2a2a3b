"""MindGames: epistemic logic, its two checkers, how problems are drawn, and how they become rows."""
