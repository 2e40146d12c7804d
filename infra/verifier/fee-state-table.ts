import { STATUSES } from '../../projections/billing/totals';
import { fingerprint, FINGERPRINT_WORDS, type FeeState, type FeeStates, type Fingerprint } from './fee-rules';

const FIRST_CAPACITY = 1 << 12;
/** Of a slot: the fingerprint of the stream, and that of the members. */
const WORDS = 2 * FINGERPRINT_WORDS;

/**
 * The states of all fees of an export, in a hash table with linear probing: 33 bytes a slot, and at most three of four slots
 * are taken, so 44 to 88 bytes a fee (66 MiB for a million), and half as much again while it grows. Streams are known by the
 * first 16 bytes of their SHA-256.
 */
export class FeeStateTable implements FeeStates {
  #words = new Uint32Array(FIRST_CAPACITY * WORDS);
  /** 0 when the slot is empty; otherwise status and revision. */
  #codes = new Uint8Array(FIRST_CAPACITY);
  #count = 0;
  /** The stream that was looked up last, and its slot: each is looked up and then set. */
  #stream: string | null = null;
  #key: Fingerprint = new Uint32Array(FINGERPRINT_WORDS);
  #slot = 0;

  get(stream: string): FeeState | undefined {
    this.#find(stream);
    const code = this.#codes[this.#slot]!;
    if (code === 0) return undefined;
    const at = this.#slot * WORDS + FINGERPRINT_WORDS;
    return {
      revision: Math.floor(code / CODES),
      status: STATUSES[(code % CODES) - 1]!,
      fingerprint: this.#words.subarray(at, at + FINGERPRINT_WORDS),
    };
  }

  set(stream: string, { revision, status, fingerprint: members }: FeeState): void {
    this.#find(stream);
    if (this.#codes[this.#slot] === 0) this.#count++;
    this.#codes[this.#slot] = revision * CODES + STATUSES.indexOf(status) + 1;
    this.#words.set(this.#key, this.#slot * WORDS);
    this.#words.set(members, this.#slot * WORDS + FINGERPRINT_WORDS);
    if (4 * this.#count > 3 * this.#codes.length) this.#grow();
  }

  #find(stream: string): void {
    if (stream === this.#stream) return;
    this.#stream = stream;
    this.#key = fingerprint(stream);
    this.#slot = this.#slotOf(this.#key);
  }

  /** The slot with the key, or the empty one for it. */
  #slotOf(key: Fingerprint): number {
    const mask = this.#codes.length - 1;
    for (let slot = key[0]! & mask; ; slot = (slot + 1) & mask)
      if (this.#codes[slot] === 0 || this.#hasKey(slot, key)) return slot;
  }

  #hasKey(slot: number, key: Fingerprint): boolean {
    for (let n = 0; n < FINGERPRINT_WORDS; n++) if (this.#words[slot * WORDS + n] !== key[n]) return false;
    return true;
  }

  #grow(): void {
    const [words, codes] = [this.#words, this.#codes];
    this.#words = new Uint32Array(2 * words.length);
    this.#codes = new Uint8Array(2 * codes.length);
    this.#stream = null;
    for (let slot = 0; slot < codes.length; slot++) {
      if (codes[slot] === 0) continue;
      const entry = words.subarray(slot * WORDS, (slot + 1) * WORDS);
      const to = this.#slotOf(entry);
      this.#words.set(entry, to * WORDS);
      this.#codes[to] = codes[slot]!;
    }
  }
}

/** Of one revision. A fee has at most three events. */
const CODES = STATUSES.length + 1;
