import { loadMessage, type Cell } from '@ton/core';
import type { ScriptedChain, ScriptedTransaction } from './scripted-chain';
import { externalMessage, type Recorded } from './scripted-chain';

interface Pending {
  readonly dest: string;
  readonly message: Cell;
  readonly depth: number;
}

const MAX_DEPTH = 6;

/** A message of a trace, as a test compares it: by hashes instead of places. */
export interface ExpectedMessage {
  readonly hash: string;
  readonly parent: string | null;
  readonly lt: string | null;
}

const hashOf = (cell: Cell): string => cell.hash().toString('base64');

/** Accounts that send each other messages, which a test delivers when it likes. */
export class MessageTraffic {
  readonly #pending: Pending[] = [];
  #nonce = 0;

  constructor(
    readonly chain: ScriptedChain,
    readonly accounts: readonly string[],
    readonly random: () => number,
  ) {}

  get pending(): number {
    return this.#pending.length;
  }

  /** Transactions of a block: requests of owners, and messages delivered, also such as the block itself sends. */
  *transactions(requests: readonly string[], deliveries: number): Generator<ScriptedTransaction> {
    for (const account of requests) {
      const received = externalMessage(account, this.#nonce++);
      yield { account, received, sendsTo: this.#receivers(1 + this.#below(3)) };
      this.#queue(account, 1);
    }
    for (let n = 0; n < deliveries && this.#pending.length > 0; n++) {
      const [next] = this.#pending.splice(this.#below(this.#pending.length), 1);
      const { dest, message, depth } = next!;
      const sendsTo = this.#receivers(depth < MAX_DEPTH ? this.#below(3) : 0);
      yield { account: dest, received: message, sendsTo };
      this.#queue(dest, depth + 1);
    }
  }

  #below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  #receivers(count: number): string[] {
    return Array.from({ length: count }, () => this.accounts[this.#below(this.accounts.length)]!);
  }

  #queue(account: string, depth: number): void {
    for (const message of this.chain.transactions.get(account)!.at(-1)!.sent)
      this.#pending.push({ dest: receiverOf(message), message, depth });
  }
}

export function receiverOf(message: Cell): string {
  const { info } = loadMessage(message.beginParse());
  if (info.type !== 'internal') throw new Error('not an internal message');
  return info.dest.toRawString();
}

/** The transactions of owners with everything that they caused, as the chain has it. */
export function expectedTraces({ transactions }: ScriptedChain): Map<string, ExpectedMessage[]> {
  const all = [...transactions.values()].flat();
  const causedBy = new Map(all.flatMap(tx => (tx.received ? [[hashOf(tx.received), tx] as const] : [])));
  const below = (tx: Recorded, parent: string | null): ExpectedMessage[] =>
    tx.sent.flatMap(cell => {
      const hash = hashOf(cell);
      const caused = causedBy.get(hash);
      return [{ hash, parent, lt: caused?.lt ?? null }, ...(caused ? below(caused, hash) : [])];
    });
  const isRequest = ({ received }: Recorded): boolean =>
    received !== undefined && loadMessage(received.beginParse()).info.type === 'external-in';
  return new Map(
    all
      .filter(tx => isRequest(tx) && tx.sent.length > 0)
      .map(tx => [`${tx.account}/${tx.lt}`, below(tx, null)]),
  );
}
