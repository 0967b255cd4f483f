"""A table's own rule sets: made, changed, passed on; and where pages find any rule set."""
