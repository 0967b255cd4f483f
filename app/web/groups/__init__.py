"""The group: what it is called, its devices and what each can do, and the ways in for more."""
