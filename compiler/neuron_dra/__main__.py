"""`python -m neuron_dra`: the same command line as the installed script."""

from neuron_dra.cli import main

if __name__ == "__main__":
    main()
