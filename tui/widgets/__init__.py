"""One widget a file: data comes down as reactives, events go up as messages."""
