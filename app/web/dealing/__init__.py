"""What the table decides about dealing: a void round, another dealer, other seats."""
