import { DIGEST_BYTES, sha256Into } from '../encoding/sha256';

/** The head of an empty ledger: 32 zero bytes. */
export const EMPTY_HEAD = Buffer.alloc(DIGEST_BYTES);

/** A hash chain: h(n) = SHA-256(h(n-1) || digest(n)). Each head commits to all digests before it and to their order. */
export class HashChain {
  readonly #link = Buffer.alloc(2 * DIGEST_BYTES);

  constructor(head: Buffer = EMPTY_HEAD) {
    head.copy(this.#link);
  }

  append(digest: Buffer): void {
    digest.copy(this.#link, DIGEST_BYTES, 0, DIGEST_BYTES);
    sha256Into(this.#link, 0, this.#link);
  }

  get head(): Buffer {
    return Buffer.from(this.#link.subarray(0, DIGEST_BYTES));
  }
}
