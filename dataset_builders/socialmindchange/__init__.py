"""SocialMindChange: a package for each of its datasets, with its generator, content and audits."""
