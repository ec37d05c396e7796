"""Our tasks in Inspect, and Inspect's logs here.

register   every generation task as a `@task` of Inspect: what its entry point imports
making     an Inspect task of one of ours
chains     earlier stages, which all samples of a run ask together
scoring    our scorer, and our metrics with their clustered errors, as Inspect's
viewing    what `inspect view` shows of our logs
logs       what a `.eval` log holds, and why some cannot be read
replaying  a log as a run: results and samples, as `otherminds run` writes them
reading    the sample files of a log, kept in the cache

`register`, `making`, `chains`, `scoring` and `viewing` run inside Inspect, and import it.
"""
