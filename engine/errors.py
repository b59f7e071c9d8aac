"""Errors that a user may meet: one short line that says what happened, one that says what to do."""

from __future__ import annotations


class RegulationsError(Exception):
    """The base of every error that the program shows instead of a traceback."""

    exit_code = 3

    def __init__(self, message: str, hint: str = "") -> None:
        """Keep `message` (what is wrong) and `hint` (what to do next)."""
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        """Both lines as one text."""
        return f"{self.message} {self.hint}".strip()


class UsageError(RegulationsError):
    """The words or options given cannot be carried out."""

    exit_code = 2


class SnapshotError(RegulationsError):
    """A collection on disk is incomplete, altered or unreadable."""


class IndexUnusableError(RegulationsError):
    """The built index can neither be read nor built."""


class ModelError(RegulationsError):
    """A model that was asked for is missing, altered or does not load."""


class ServerError(RegulationsError):
    """A model server did not give a usable answer."""

    exit_code = 4


class PublisherError(RegulationsError):
    """The publisher's server cannot be reached or does not give what was asked for."""

    exit_code = 4
