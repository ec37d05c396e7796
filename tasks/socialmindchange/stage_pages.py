"""The pages of SocialMindChange's documentation that are written from manifests."""

from __future__ import annotations

from typing import Final

from otherminds.tasks.socialmindchange import codes_stage_page, scale_stage_page

PAGES: Final = {**codes_stage_page.PAGES, **scale_stage_page.PAGES}
"""By dataset and by name, what writes a page from the manifest."""
