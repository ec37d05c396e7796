"""People judge the graphs that were read out of interviews: pages for them, and what comes back."""
