"""Browser tests: a package, so that what they share ends with the last of them (see conftest)."""
