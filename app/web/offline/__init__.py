"""The app on a phone: its manifest, its worker, and the page for when there is no network."""
