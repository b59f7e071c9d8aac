"""The main screen and what opens above it."""
