import sys

from .command_line import run

code, lines = run(sys.argv[1:])
# What a file says can neither add a line nor control the terminal.
shown = ["".join(each if each.isprintable() else f"\\u{{{ord(each):x}}}" for each in line) for line in lines]
print("\n".join(shown), file=sys.stderr if code else sys.stdout)
sys.exit(code)
