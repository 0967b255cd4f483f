"""Meldkeeper: the table companion for the contract-rummy family of card games."""
