"""The vectors of PROOFS.md, and those of the RFCs where a fault could hide. Run by python3 -m unittest in this folder."""

from __future__ import annotations

import hmac
import json
import unittest
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from second_verifier import ed25519
from second_verifier.amounts import amount, written_amount
from second_verifier.bodies import body_digest
from second_verifier.csv_export import csv_of
from second_verifier.export import Export, digest_line
from second_verifier.ijson import canonical_json, read_json
from second_verifier.keys import key_id, read_key
from second_verifier.merkle import chain_head, joined_root, leaf_hash, perfect_sizes, root_of_path, subtree_level, tree_root
from second_verifier.queries import cursor, verify_cursor
from second_verifier.refusal import Refusal
from second_verifier.shapes import base64url_bytes
from second_verifier.tree_heads import verified_subtrees

VECTORS = json.loads((Path(__file__).parents[2] / "contracts/ledger-tree/vectors.json").read_text("utf-8"))
LINES = [line.encode("utf-8") for line in VECTORS["lines"]]
DIGESTS = [sha256(line).digest() for line in LINES]
LEAVES = [leaf_hash(digest) for digest in DIGESTS]


class Vectors(unittest.TestCase):
    def test_lines_are_canonical_and_have_their_digests(self) -> None:
        self.assertEqual([canonical_json(read_json(line, "a line")) for line in LINES], LINES)
        self.assertEqual([digest.hex() for digest in DIGESTS], VECTORS["digests"])
        self.assertEqual([leaf.hex() for leaf in LEAVES], VECTORS["leafHashes"])
        self.assertEqual(digest_line(0, [0, 2, 4], DIGESTS), VECTORS["digestLine"].encode("utf-8"))

    def test_heads_after_each_event(self) -> None:
        for head in VECTORS["heads"]:
            size = head["size"]
            self.assertEqual(chain_head(DIGESTS[:size]).hex(), head["head"])
            self.assertEqual(tree_root(LEAVES[:size]).hex(), head["root"])

    def test_audit_paths(self) -> None:
        for index, path in enumerate(VECTORS["auditPaths"]):
            hashes = [bytes.fromhex(item) for item in path]
            self.assertEqual(root_of_path(LEAVES[index], index, 3, hashes), tree_root(LEAVES))
            self.assertIsNone(root_of_path(LEAVES[index], index, 3, [*hashes, hashes[0]]))
            self.assertIsNone(root_of_path(LEAVES[index], index, 3, hashes[1:]))

    def test_numbered_ledgers_and_their_subtrees(self) -> None:
        for vector in VECTORS["numbered"]:
            size, subtrees = vector["size"], vector["subtreeRoots"]
            digests = [sha256(str(index).encode("ascii")).digest() for index in range(size)]
            leaves = [leaf_hash(digest) for digest in digests]
            level = subtree_level(size)
            self.assertEqual(chain_head(digests).hex(), vector["head"])
            self.assertEqual(tree_root(leaves).hex(), vector["root"])
            self.assertEqual((level, size >> level), (subtrees["level"], subtrees["count"]))
            perfect, start = [], 0
            for count in [1 << level] * (size >> level) + perfect_sizes(size % (1 << level)):
                perfect.append((count, tree_root(leaves[start : start + count])))
                start += count
            self.assertEqual(joined_root(perfect), tree_root(leaves))
            roots = b64encode(b"".join(root for _, root in perfect[: size >> level])).decode("ascii")
            given = {"level": level, "roots": roots, "remainder": subtrees["remainder"]}
            read = verified_subtrees(given, vector)
            self.assertEqual(read, perfect)

    def test_key_and_signed_statements(self) -> None:
        key = read_key(VECTORS["key"], "the key")
        self.assertEqual(key_id(key), VECTORS["keyId"])
        checkpoint, proof = VECTORS["checkpoint"], VECTORS["proof"]
        claims = {name: value for name, value in checkpoint.items() if name not in ("statement", "signature")}
        for kind, signed, vector in (("checkpoint", claims, checkpoint), ("proof", proof["claims"], proof)):
            message = f"tidemark-{kind}-v1\n".encode("ascii") + canonical_json(signed)
            self.assertEqual(message, vector["statement"].encode("utf-8"))
            signature = base64url_bytes(vector["signature"], "the signature")
            self.assertTrue(ed25519.verify(key, message, signature))
            self.assertFalse(ed25519.verify(key, message + b" ", signature))

    def test_body_and_personal_text(self) -> None:
        self.assertEqual(body_digest(VECTORS["body"]), VECTORS["bodyDigest"])
        personal = VECTORS["personalText"]
        commitment = hmac.digest(base64url_bytes(personal["opening"], "it"), personal["text"].encode("utf-8"), "sha256")
        self.assertEqual(commitment, base64url_bytes(personal["commitment"], "it"))


class Rfcs(unittest.TestCase):
    def test_ed25519_of_rfc_8032(self) -> None:
        """Section 7.1: tests 1 and 2; and a scalar that is not reduced (5.1.7)."""
        for key, message, signature in RFC_8032:
            key, message, signature = (bytes.fromhex(item) for item in (key, message, signature))
            self.assertTrue(ed25519.verify(key, message, signature))
            for index in range(64):
                altered = signature[:index] + bytes([signature[index] ^ 1]) + signature[index + 1 :]
                self.assertFalse(ed25519.verify(key, message, altered))
            more = int.from_bytes(signature[32:], "little") + ed25519.ORDER
            self.assertFalse(ed25519.verify(key, message, signature[:32] + more.to_bytes(32, "little")))

    def test_canonical_json_of_rfc_8785(self) -> None:
        """Section 3.2.3 and appendix B, of what I-JSON has."""
        names = "\u20ac \r \ufb33 1 \U0001f600 \u0080 \u00f6".split(" ")
        written = canonical_json({name: 0 for name in names}).decode("utf-8")
        self.assertEqual(written, '{"\\r":0,"1":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\U0001f600":0,"\ufb33":0}')
        for text in ("4.5", "0.002", "1e-27", "9.5e-7", "0.000001", "-0.3", "9007199254740991", "333333333.3333333"):
            self.assertEqual(canonical_json(read_json(text.encode("ascii"), "it")).decode("ascii"), text)

    def test_texts_that_are_no_i_json(self) -> None:
        texts = ["1.0", "1e3", "-0", "1e999", "9007199254740993", "NaN", '{"a":1,"a":1}', '"\\ud800"', "[" * 65 + "]" * 65, ""]
        for text in [item.encode("ascii") for item in texts] + [b'"\xff"', b"\xef\xbb\xbf1", b'"\xed\xa0\x80"']:
            with self.assertRaises(Refusal, msg=text):
                read_json(text, "it")


class Texts(unittest.TestCase):
    def test_sums(self) -> None:
        for text in ("12.50", "0.00000123", "0.00", "-1.00", "1.000000000000000001"):
            self.assertEqual(written_amount(amount(text, "it")), text)
        self.assertEqual(written_amount(amount("-0", "it") + amount("7.5", "it")), "7.50")

    def test_cells(self) -> None:
        row = dict.fromkeys(csv_of([]).strip().split(","), "")
        cells = {"=1": "'=1", "\u3000＋1,2": '"\'\u3000＋1,2"', "-1.50": "-1.50", "-x": "'-x", 'a"b': '"a""b"', "\tx": "'\tx"}
        for text, cell in cells.items():
            self.assertEqual(csv_of([{**row, "id": text}]).split("\r\n")[1], cell + "," * 8)


class Cursors(unittest.TestCase):
    def test_position_is_that_of_the_answer(self) -> None:
        """Of a ledger with events at 0, 3 and 7; the answer is of the first two."""
        export = Export([], [], [], [0, 3, 7], None, False, True, True)
        query = {"action": "export_revenue_csv"}
        row = {"created_at": "2026-10-01T00:00:00.000Z", "id": "f-1"}
        expected = cursor(query, 3, row, "a1")
        for position in (3, 6):
            verify_cursor(expected, cursor(query, position, row, "a1"), export, 2)
        others = [cursor(query, position, row, "a1") for position in (-1, 0, 2, 7, 99)]
        for other in [*others, cursor(query, 3, row, "b2"), cursor(query, 3, {**row, "id": "f-2"}, "a1"), "W10", "", None, 7]:
            with self.assertRaises(Refusal, msg=str(other)):
                verify_cursor(expected, other, export, 2)
        verify_cursor(expected, cursor(query, 99, row, "a1"), export, 3)


RFC_8032 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
]
