/** Bytes that are not a transaction. They would make the native engine abort the process. */
export class MalformedTransaction extends Error {
  override readonly name = 'MalformedTransaction';
}

/** Reads bytes sequentially, never past their end. */
export class Reader {
  #at = 0;
  constructor(readonly source: Buffer) {}

  get remaining(): number {
    return this.source.length - this.#at;
  }

  peek(): number {
    if (this.remaining === 0) throw new MalformedTransaction('unexpected end of the transaction');
    return this.source[this.#at]!;
  }

  byte(): number {
    const value = this.peek();
    this.#at += 1;
    return value;
  }

  bytes(length: number): Buffer {
    if (this.remaining < length) throw new MalformedTransaction('unexpected end of the transaction');
    this.#at += length;
    return this.source.subarray(this.#at - length, this.#at);
  }

  /** Compact-u16: seven bits a byte, at most three bytes, in the shortest form only. */
  compact(): number {
    let value = 0;
    for (let shift = 0; shift <= 14; shift += 7) {
      const byte = this.byte();
      if (shift > 0 && byte === 0) throw new MalformedTransaction('a length is not in its shortest form');
      if (shift === 14 && byte > 3) throw new MalformedTransaction('a length is beyond 16 bits');
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new MalformedTransaction('a length is beyond 16 bits');
  }

  list<Item>(item: () => Item): Item[] {
    return Array.from({ length: this.compact() }, item);
  }

  indexes(): number[] {
    return [...this.bytes(this.compact())];
  }
}
