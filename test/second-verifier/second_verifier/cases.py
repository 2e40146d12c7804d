"""python3 -m second_verifier.cases: verifies many times in one process.

Each line of the input is a JSON array of arguments of the program; each line of the output is `{"code", "lines"}`."""

import json
import sys

from .command_line import run

for case in sys.stdin:
    code, lines = run(json.loads(case))
    print(json.dumps({"code": code, "lines": lines}))
