"""The engine of China Moon: see docs/bots/china-moon.md."""
