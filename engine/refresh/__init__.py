"""A collection brought up to date from its publisher: fetched, checked, shown, and only then put in place.

```
choose ─▶ fetch (titles, lists, copies) ─▶ check ─▶ build beside ─▶ report ─▶ accept ─▶ swap ─▶ undo
              │ staged file by file, with sums: a later run goes on                       old one kept
```

Nothing here prints; `engine.commands.refreshing` does. Nothing is imported by `import engine`.
"""
