"""A second verifier of the proofs of the billing ledger, which follows contracts/ledger-tree/PROOFS.md.

It shares no code with tidemark-verify and has no dependencies. "PROOFS.md, n" in its comments is section n of that page.
It keeps a whole export in memory, and checks a signature in milliseconds: it is to be read, and to be compared with.
"""
