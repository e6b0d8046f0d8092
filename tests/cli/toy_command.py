"""The command ``pompeii-sim`` with the toy game among the games; started as a process by the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "toy"))

if __name__ == "__main__":
    from toy_install import install

    install()
    from pompeii_sim.cli.main import main

    main()
