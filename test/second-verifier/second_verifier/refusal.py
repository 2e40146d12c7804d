"""Why something is not verified; the code is the exit code of the program (PROOFS.md, 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .export import Event

EVENTS_DIFFER = 2
BAD_SIGNATURE = 3
OTHER_ANSWER = 4
HISTORY_ENDS = 5
UNUSABLE = 6
INCONSISTENT = 7


class Refusal(Exception):
    """The first reason that was found; `code` is one of the constants of this module."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def unusable(reason: str) -> Refusal:
    return Refusal(UNUSABLE, reason)


def inconsistent(event: Event, rule: str, what: str) -> Refusal:
    at = f"position {event.position}, in the stream {event.stream}"
    return Refusal(INCONSISTENT, f"the {event.type} at {at}, breaks the rule `{rule}` of {what}")


def other_answer(reason: str) -> Refusal:
    return Refusal(OTHER_ANSWER, reason)
