"""The engine of Daruma: see docs/bots/daruma.md."""
