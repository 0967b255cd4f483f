"""The group: this phone in it, the other phones, and the ways in for more."""
