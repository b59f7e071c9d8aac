"""The interactive program over the engine."""
