"""Keywords and meaning: how passages are ranked."""
