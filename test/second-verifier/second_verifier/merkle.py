"""The hash chain and the Merkle tree over the digests of events (PROOFS.md, 3; RFC 6962, section 2.1)."""

from __future__ import annotations

from hashlib import sha256

MAX_SUBTREES = 256


def chain_head(digests: list[bytes]) -> bytes:
    head = bytes(32)
    for digest in digests:
        head = sha256(head + digest).digest()
    return head


def leaf_hash(digest: bytes) -> bytes:
    return sha256(b"\x00" + digest).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def tree_root(leaves: list[bytes]) -> bytes:
    """The root over leaf hashes."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return node_hash(tree_root(leaves[:split]), tree_root(leaves[split:]))


def subtree_level(size: int) -> int:
    level = 0
    while size > MAX_SUBTREES << level:
        level += 1
    return level


def perfect_sizes(count: int) -> list[int]:
    """The sizes of the perfect subtrees of `count` leaves, the largest first."""
    return [1 << bit for bit in range(count.bit_length() - 1, -1, -1) if count >> bit & 1]


def joined_root(subtrees: list[tuple[int, bytes]]) -> bytes:
    """The root over perfect subtrees, each its number of leaves and its root, from the left to the right."""
    stack: list[tuple[int, bytes]] = []
    for subtree in subtrees:
        stack.append(subtree)
        while len(stack) > 1 and stack[-1][0] == stack[-2][0]:
            (size, right), (_, left) = stack.pop(), stack.pop()
            stack.append((2 * size, node_hash(left, right)))
    if not stack:
        return sha256(b"").digest()
    root = stack.pop()[1]
    while stack:
        root = node_hash(stack.pop()[1], root)
    return root


def root_of_path(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    """The root that an audit path leads to, or None when it has not the length of one (RFC 9162, section 2.1.3.2)."""
    if index >= size:
        return None
    node, last, root = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return None
        if node & 1 or node == last:
            root = node_hash(sibling, root)
            while not node & 1 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        node, last = node >> 1, last >> 1
    return root if last == 0 else None
