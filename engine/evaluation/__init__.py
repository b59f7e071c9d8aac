"""Measuring search and answers with dated questions."""
