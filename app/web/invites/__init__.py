"""Coming into a group: by a secret link, its QR code, or a short code across the table."""
