"""``python -m pompeii_sim``: the same as the command ``pompeii-sim``."""

from pompeii_sim.cli.main import main

if __name__ == "__main__":
    main()
