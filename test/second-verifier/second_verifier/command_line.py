"""python3 -m second_verifier EXPORT ANSWER --keys KEYS [--checkpoint HELD]
python3 -m second_verifier merchant FILE --keys KEYS [--checkpoint HELD]

Exits with 0 when all is verified, otherwise with the code of the first reason against it (PROOFS.md, 9)."""

from __future__ import annotations

import argparse
from pathlib import Path

from .answer_proof import verify_answer
from .merchant_proof import verify_merchant
from .refusal import UNUSABLE, Refusal, unusable


class Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        self.exit(UNUSABLE, f"{message}\n{self.format_usage()}")


def run(arguments: list[str]) -> tuple[int, list[str]]:
    """The exit code, and the lines to print."""
    parser = Arguments(prog="second_verifier", usage=__doc__)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--keys", required=True)
    parser.add_argument("--checkpoint")
    options = parser.parse_args(arguments)
    try:
        keys = _bytes_of(options.keys)
        held = None if options.checkpoint is None else _bytes_of(options.checkpoint)
        if options.first == "merchant":
            return 0, verify_merchant(_bytes_of(options.second), keys, held)
        return 0, verify_answer(_bytes_of(options.first), _bytes_of(options.second), keys, held)
    except Refusal as refusal:
        return refusal.code, [str(refusal)]


def _bytes_of(path: str) -> bytes:
    try:
        # A device or a pipe may never end.
        if Path(path).exists() and not Path(path).is_file():
            raise unusable(f"{path} is no file")
        return Path(path).read_bytes()
    except OSError as error:
        raise unusable(str(error)) from error
