"""Administration, on the command line (`tsukimi admin`) and on the admin page: the same operations on the store."""
