"""The support desk that the lessons build: one graph, one database file, one way in."""
