"""The forms of export and import."""

from wtforms import FileField

from app.web.infrastructure.forms import PageForm, WordChoiceField

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}


class FileForm(PageForm):
    """A file to import."""

    file = FileField()


class CsvExportQuery(PageForm):
    """What separates the columns of an exported table."""

    separator = WordChoiceField(SEPARATORS, default="comma")
