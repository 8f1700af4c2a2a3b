"""The way to the Hugging Face Hub and back: ask it, plan one commit, send it, and prove it by reading back."""
