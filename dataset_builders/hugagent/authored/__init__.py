"""The core of HugAgent: interviews that authors write inside frames that code has drawn."""
