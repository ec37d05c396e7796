"""The questions of a stage of SocialMindChange 2, asked of worlds that are rolled forward.

question    a question with its options, as symbols and as JSON
elsewhere   where else in a stage an offered value is the truth: what makes it a distractor
situations  after which words, of whom and in which scene can be asked, and what hangs on what others say
lines       in which order situations are tried, and which of them suit
parts       what the parts of an option on outcomes may be about
outcomes    what holds after other words, and why
guidance    which word reaches an aim
plans       which course of words does
agenda      the eighty questions of a stage
"""
