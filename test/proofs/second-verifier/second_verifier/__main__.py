import sys

from .command_line import run

code, lines = run(sys.argv[1:])
print("\n".join(lines), file=sys.stderr if code else sys.stdout)
sys.exit(code)
