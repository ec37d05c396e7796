"""Stages of SocialMindChange 2 that authors write inside frames (`otherminds construct`).

symbols   questions as JSON, and back
units     the frames: worlds with their eighty questions
stage     what a unit holds, as the world knows it
events    what a scene has to tell, in order
replies   the forms of what authors send
texts     words, names and sentences of what was written
context   proofs of people, ties and matters
outline   proofs of what is to happen, scene by scene
story     proofs of the scenes
phrases   proofs of the lexicon, and which phrases a unit needs
"""
