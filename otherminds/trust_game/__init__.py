"""The documents of the trust game's tasks: which persona is asked what.

population   role-plays of all personas, and what a model says of people like them
conditioned  role-plays by personas who are told what a model said, or something else
individual   six rounds with one trustee: forecasts of what a persona sends, and the game as it is played

The personas are rows of a dataset; the documents are made from them here, and those of later stages from
the answers to earlier ones (see `otherminds.stages`).

Keys of `--metadata` that all of these tasks know:

    personas   "sample", 50 personas of the split test (the default), or a whole split: "train",
               "validation" or "test"
    endowment  the trustor's dollars in each round, 10 by default
"""
