"""The course's own machinery: its lessons, their command line, the tour."""
