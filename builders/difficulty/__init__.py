"""How hard a row is for a small trained model, and how that model is trained."""
