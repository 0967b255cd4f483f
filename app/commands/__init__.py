"""What a host types in a shell."""
