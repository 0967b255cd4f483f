"""The Q&A of each rule set, with examples that the judge answers, and a sheet to print."""
