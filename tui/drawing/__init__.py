"""Values drawn as text with styles: pure functions, every word passed through `safe_text`."""
