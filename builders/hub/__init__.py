"""The way to the Hugging Face Hub and back."""
