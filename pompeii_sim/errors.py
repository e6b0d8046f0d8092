"""The one error a user meets: what is wrong, where, and the nearest valid thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class InputError(ValueError):
    """Wrong use or bad input; the command line prints it as one line and exits with 2.

    Parameters
    ----------
    what
        What is wrong, in one clause.
    where
        The place: a file with an entry and a field, a key path, an option.
    hint
        The nearest valid thing, or how to mend it.
    """

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        self.what = what
        self.where = where
        self.hint = hint
        text = f"{where}: {what}" if where else what
        super().__init__(f"{text}; {hint}" if hint else text)


def together(errors: Sequence[InputError]) -> InputError:
    """Return one error that tells all of several: the first as it is, the others behind it, each once.

    Parameters
    ----------
    errors
        At least one, in the order to be told.
    """
    first = errors[0]
    hint = first.hint
    for text in dict.fromkeys(str(error) for error in errors):
        if text != str(first):
            link = " " if hint.endswith("?") else "; " if hint else ""
            hint += f"{link}also {text}"
    return InputError(first.what, where=first.where, hint=hint)


def nearest(name: str, valid: Iterable[str], *, most: int = 12) -> str:
    """Say which valid name was probably meant.

    Parameters
    ----------
    name
        The name that is not valid.
    valid
        The valid names.
    most
        Up to how many names are listed when none is near.

    Returns
    -------
    str
        ``did you mean 'x'?``, else the list of valid names (shortened).
    """
    names = sorted({str(v) for v in valid})
    close = get_close_matches(str(name), names, n=1, cutoff=0.5)
    if not close:
        folded = {n.casefold(): n for n in names}
        close = [folded[m] for m in get_close_matches(str(name).casefold(), list(folded), n=1, cutoff=0.5)]
    if close:
        return f"did you mean {close[0]!r}?"
    shown = ", ".join(names[:most])
    return f"valid: {shown}" + (f" and {len(names) - most} more" if len(names) > most else "")
