"""What a choice of an answerer is; apart from how it is made, so that a first screen need not load that."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to get answers, and where words go for it."""

    name: str
    """`quote`, `chat`, or `replay` and the model whose recordings are played."""
    server: str = ""
    """The host that question, day and passages are sent to; empty when nothing leaves the program."""
    model: str = ""
    """The server's name for its model."""
    consent: str = ""
    """What has to be agreed to before anything is sent; empty when nothing has to."""

    @property
    def words(self) -> str:
        """The choice for people: `chat (NAME), sent to HOST`."""
        return f"{self.name} ({self.model}), sent to {self.server}" if self.server else self.name
