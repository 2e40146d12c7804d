import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBox, sealBox, type KeyPair } from '@ton/crypto';
import { readRequest, writeRequest } from '../../storage/device';

const NONCE_BYTES = 24;
const RETRY_MS = 50;

/** Where a setting is stored; both keys are derived from the words of the wallet. */
export interface SettingKeys {
  readonly signing: KeyPair;
  /** 32 bytes; the server never has it. */
  readonly encryption: Buffer;
}

interface Current {
  readonly seq: number;
  readonly value: string | null;
}

/** What a write was answered with. */
export interface Acknowledged {
  readonly seq: number;
  readonly value: string;
}

/**
 * A setting that several devices share, as the app has it: each holds a document that can be merged with those of others, reads,
 * merges and writes until its document is the stored one, and asks again after any failure.
 */
export class SharedSetting {
  readonly items = new Set<string>();
  readonly acknowledged: Acknowledged[] = [];

  constructor(
    private readonly keys: SettingKeys,
    /** Where the program listens now. */
    private readonly url: () => string,
  ) {}

  /** Resolves once the stored document has everything of this one, and this one everything that was read. */
  async synchronize(): Promise<void> {
    let current = await this.read();
    while (!this.merge(current)) {
      const value = this.encrypted();
      const { seq } = current;
      const { updated, current: next } = await this.write(seq, value);
      if (updated) return void this.acknowledged.push({ seq: next.seq, value: next.value! });
      current = next;
    }
  }

  /** Repeats a read until it is answered. */
  async read(): Promise<Current> {
    const { value } = await this.ask<{ value: Current }>('/storage/read', () =>
      readRequest(this.keys.signing),
    );
    return value;
  }

  /** Repeats a write until it is answered: the same value with the same `seq`, and a fresh signature. */
  private write(seq: number, value: Buffer): Promise<{ updated: boolean; current: Current }> {
    return this.ask('/storage/write', () => writeRequest(this.keys.signing, seq, value));
  }

  private async ask<Answer>(path: string, request: () => object): Promise<Answer> {
    for (;;) {
      try {
        const response = await fetch(this.url() + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(request()),
        });
        if (response.status === 200) return (await response.json()) as Answer;
        if (response.status < 500) throw new Refused(`${path}: ${response.status} ${await response.text()}`);
      } catch (error) {
        if (error instanceof Refused) throw error;
      }
      await sleep(RETRY_MS);
    }
  }

  /** @returns whether the stored document already has everything of this one */
  private merge({ value }: Current): boolean {
    const stored = new Set(value === null ? [] : this.decrypted(value));
    for (const item of stored) this.items.add(item);
    return stored.size === this.items.size;
  }

  private encrypted(): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const plain = Buffer.from(JSON.stringify([...this.items]));
    return Buffer.concat([nonce, sealBox(plain, nonce, this.keys.encryption)]);
  }

  private decrypted(value: string): string[] {
    const bytes = Buffer.from(value, 'base64');
    const [nonce, box] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
    const plain = openBox(box, nonce, this.keys.encryption);
    if (!plain) throw new Refused('a stored value cannot be decrypted');
    return JSON.parse(plain.toString()) as string[];
  }
}

/** What no repetition makes good. */
class Refused extends Error {
  override readonly name = 'Refused';
}
