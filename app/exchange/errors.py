"""What is wrong with a document."""

from dataclasses import dataclass

from app.rules.phrases import Phrase


@dataclass
class DocumentError(Exception):
    """What is wrong at a place of a document, such as `games[0].seats[1].player`."""

    path: str
    message: Phrase

    def within(self, outer: str) -> "DocumentError":
        """The same fault, seen from further out."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        return DocumentError(f"{outer}{joint}{self.path}", self.message)
