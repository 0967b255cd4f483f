"""A group's own rule sets: created, edited, shared; and where pages find any rule set."""
