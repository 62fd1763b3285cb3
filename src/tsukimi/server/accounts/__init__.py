"""Who plays: guests, accounts, names, ratings."""
