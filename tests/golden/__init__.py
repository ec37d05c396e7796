"""What users see and cite, as it was when it was last decided: see `python -m tests.golden.write`.

`pinned` holds still what differs between machines, `shelf` makes small data and is the one module that
knows internals, `collected` makes each golden file from nothing but commands, task names and these data,
`versions` says when a task's version must be raised, and `texts` says how files are stored and compared.
"""
