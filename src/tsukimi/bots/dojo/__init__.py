"""The engine of Dojo: see docs/bots/dojo.md."""
