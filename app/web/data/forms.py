"""The forms of export and import."""

from wtforms import FileField

from app.web.infrastructure.forms import PageForm, WordField

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}


class FileForm(PageForm):
    """A file to import."""

    file = FileField()


class CsvExportQuery(PageForm):
    """What separates the columns of an exported table."""

    separator = WordField(SEPARATORS, default="comma")
