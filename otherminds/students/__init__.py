"""Trained students: what can be learned from one half of a dataset, and answered with on the other half.

A check that is written by hand finds what it was told to look for. A student is trained on the items of
half of the people (or stages, or whatever an item is about), sees of the others' items what it is
allowed to see, and answers them. What it gets right above chance can be had without the understanding
that the dataset asks for, or shows how far plain learning from text goes.

    view          what a benchmark says of its items: the one thing that it writes itself
    halves        who is trained on, and who is tested
    answers       from scores of options to the share of right answers
    vocabulary    texts as words, and as points in a space
    words         students that see texts
    siblings      what the options of other items on the same person or stage give away
    neighbours    the student that looks for the items most like the one at hand
    frame         students that know the variables that the data were generated from
    repeats       sentences that several units have
    roster        all students, with what they see and what is allowed of them
    audit         all students on one dataset
    rows          the items of a dataset, from wherever its data are
"""
