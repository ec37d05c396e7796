"""The documents of SynchToM's tasks: questions on a user with a wrong belief, and judgements of answers.

answers        an instance with the first N turns, with or without a belief and a profile given
judgements     an answer with the criteria that it is judged by, for a language model as the judge
collaboration  an instance with the best belief and profile among several models' answers
"""
