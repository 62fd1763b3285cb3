"""The games as environments of PettingZoo, Gymnasium and OpenSpiel; see docs/environments.md.

All are made from a game's `Spec`, so that every installed game has them. Each module needs its own package.
"""
