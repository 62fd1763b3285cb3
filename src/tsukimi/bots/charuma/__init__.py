"""The engine of Charuma: see docs/bots/charuma.md."""
