"""What a command is."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType


class Command:
    """What a user can do; the subclass's docstring is its help."""

    name: ClassVar[str]
    """How the palette and the help page call it."""
    action: ClassVar[str]
    """The action of the pane that carries it out."""
    keys: ClassVar[str] = ""
    """Keys as Textual names them, comma separated; empty for the palette alone."""
    shown: ClassVar[str] = ""
    """How help and footer write the key, where Textual's own way would not do."""
    footer: ClassVar[str] = ""
    """The word in the footer; empty keeps it out."""
    priority: ClassVar[bool] = False
    """Whether the key works while text is typed, against the text box's own use of it."""
    pane: ClassVar[str] = "screen"
    """Where it works: `screen` for everywhere, else a pane."""
    palette: ClassVar[bool] = True
    """Whether the palette offers it."""

    @classmethod
    def binding(cls) -> Binding:
        """The key binding."""
        return Binding(
            cls.keys,
            cls.action,
            cls.footer or cls.name,
            show=bool(cls.footer),
            key_display=cls.shown or None,
            priority=cls.priority,
            id=f"{cls.pane}.{cls.action}",
        )

    @classmethod
    def help(cls) -> str:
        """The help text on one line."""
        return " ".join((cls.__doc__ or "").split())


def move(
    pane: str, name: str, keys: str, shown: str, action: str, text: str = "", footer: str = ""
) -> type[Command]:
    """A command that moves something in a pane: only its key and its words tell it from its neighbours."""
    fields = {
        "__doc__": text or f"{name}.",
        "name": name,
        "action": action,
        "keys": keys,
        "shown": shown,
        "footer": footer,
        "pane": pane,
        "palette": False,
    }
    return type(name.title().replace(" ", ""), (Command,), fields)


def bindings(commands: tuple[type[Command], ...]) -> list[BindingType]:
    """The key bindings of commands; those without a key are left to the palette."""
    return [command.binding() for command in commands if command.keys]
