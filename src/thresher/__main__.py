"""`python -m thresher`: the command line where no console script is installed."""

from thresher.cli import main

if __name__ == "__main__":
    main(prog_name="thresher")
