"""The games as PettingZoo, Gymnasium and OpenSpiel environments; see docs/environments.md.

All are generated from a game's `Spec`, so every installed game has them. Each module needs its own package.
"""
