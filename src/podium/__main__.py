"""`python -m podium` is the program `podium`."""

from podium.cli.main import run

if __name__ == "__main__":
    run()
