"""The scale edition of SocialMindChange: a world that can be asked "what if", told by a grammar.

spec      one random stream per stage, purpose and attempt
stage     a stage: drawn until all its questions can be asked and told
wording   its questions and options in words, and letters
needs     which questions another rests on
rows      the tables
synthetic parameters, build
audits    checks of the built tables
"""
