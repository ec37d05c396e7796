"""The world of SocialMindChange 2: people, what they know of each other's minds, and what words change.

`docs/explanation/socialmindchange_world.md` has its rules (R0 to R9); nothing here knows how a stage
is told.

    frame     what is given: people, ties, matters, scenes
    chains    whose view of whose view: all chains of up to three people
    minds     the views of all chains, and how words and proofs change them (R0 to R3)
    conduct   what people feel, mean to do and do (R5 to R7)
    roll      a stage rolled forward, under the guide's words or others (R4, R8, R9)
    variables what can be asked of a rolled-forward world, and claims about it
    draw      frames by chance
"""
