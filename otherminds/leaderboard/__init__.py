"""The shared leaderboard: records of submissions, their verification, and sending them."""
