"""What people argue about: every ruling of a rule set with an example, and a sheet to print."""
