"""What the templates of export and import are given."""

from dataclasses import dataclass

from app.actions.importing import ImportPlan
from app.exchange.errors import DocumentError
from app.exchange.past_results import PastResultLine, PastResults
from app.rules.phrases import Phrase

MOST_LINES_SHOWN = 200


@dataclass(frozen=True, slots=True)
class PreviewPage:
    """What bringing a file in would do, or why nothing can be brought in."""

    name: str
    plan: ImportPlan | None
    faults: tuple[tuple[str, Phrase], ...]
    """Where, and what."""
    upload: str
    """The key by which a yes finds the file; empty where there is nothing to say yes to."""
    past_results: PastResults | None
    lines: tuple[PastResultLine, ...]
    hidden_lines: int


def preview_page(
    name: str,
    *,
    plan: ImportPlan | None = None,
    faults: tuple[DocumentError, ...] = (),
    upload: str = "",
    table: PastResults | None = None,
) -> PreviewPage:
    """The preview of a file; of a long table the faulty lines come first."""
    lines = sorted(table.lines, key=lambda one: one.fault is None) if table else []
    told = tuple((one.path, one.message) for one in faults)
    return PreviewPage(
        name=name,
        plan=plan,
        faults=told + tuple(("", one) for one in (table.faults[:20] if table else ())),
        upload=upload,
        past_results=table,
        lines=tuple(lines[:MOST_LINES_SHOWN]),
        hidden_lines=max(0, len(lines) - MOST_LINES_SHOWN),
    )
