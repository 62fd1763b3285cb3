"""`python -m tsukimi.cli`, if the `tsukimi` script is not installed."""

import sys

from tsukimi.cli import main

sys.exit(main())
