"""Decks of our own making: coordinates, topologies and run settings, from arithmetic and fixed seeds alone."""
