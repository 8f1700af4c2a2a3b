"""What a check proves of our rows by the readers' second opinion, and how published rows are labelled again."""
