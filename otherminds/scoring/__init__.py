"""From a model's answers to lm-eval's tables: one module per benchmark, on a shared base."""
