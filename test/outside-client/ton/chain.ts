import { Address, type Message, type Transaction } from '@ton/core';
import type { Node } from './node';

export type Internal = Message & { readonly info: { readonly type: 'internal' } };

export function isInternal(message: Message): message is Internal {
  return message.info.type === 'internal';
}

/** A transaction with the raw address of its account. */
export interface Entry {
  readonly account: string;
  readonly tx: Transaction;
}

export function sentBy({ tx }: Entry): Internal[] {
  return tx.outMessages.values().filter(isInternal);
}

export function hashOf({ tx }: Entry): string {
  return tx.hash().toString('base64');
}

/** The logical times of the messages of one sender differ. */
const messageKey = ({ info }: Internal): string => `${info.src.toRawString()}/${info.createdLt}`;

const CONCURRENCY = 16;

async function inParallel<T, R>(items: readonly T[], each: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += CONCURRENCY)
    results.push(...(await Promise.all(items.slice(at, at + CONCURRENCY).map(each))));
  return results;
}

/** Everything that the blocks of a node hold, account by account. */
export class Chain {
  readonly accounts = new Map<string, readonly Entry[]>();
  readonly #received = new Map<string, Entry>();

  /** @param entries newest first */
  add(account: string, entries: readonly Entry[]): void {
    this.accounts.set(account, entries);
    for (const entry of entries) {
      const message = entry.tx.inMessage;
      if (message && isInternal(message)) this.#received.set(messageKey(message), entry);
    }
  }

  /** What a message caused; none while it is on its way. */
  causedBy(message: Internal): Entry | undefined {
    return this.#received.get(messageKey(message));
  }

  /** All that followed from a transaction, without itself. */
  descendants(entry: Entry): Entry[] {
    return sentBy(entry).flatMap(message => {
      const caused = this.causedBy(message);
      return caused ? [caused, ...this.descendants(caused)] : [];
    });
  }
}

/**
 * Reads the transactions of every account: each that a block lists, in the order of the chain. The links between them must
 * be unbroken from one deletion of the account to the next.
 */
export async function readChain(node: Node): Promise<Chain> {
  const seqnos = Array.from({ length: await node.tip() }, (_, index) => index + 1);
  const listed = (await inParallel(seqnos, seqno => node.listed(seqno))).flat();
  const accounts = [...new Set(listed.map(({ account }) => account))];
  const chain = new Chain();
  await inParallel(accounts, async account => {
    const refs = listed.filter(ref => ref.account === account);
    const entries = new Map<string, Entry>();
    for (const { lt, hash } of refs.toReversed()) {
      let next = { lt, hash };
      while (next.lt !== '0' && !entries.has(next.lt))
        for (const tx of await node.page(Address.parseRaw(account), next.lt, next.hash)) {
          expect(tx.lt.toString()).toBe(next.lt);
          entries.set(next.lt, { account, tx });
          next = { lt: tx.prevTransactionLt.toString(), hash: hash256(tx.prevTransactionHash) };
        }
    }
    const all = [...entries.values()];
    expect(all.map(hashOf)).toEqual(refs.map(({ hash }) => hash).toReversed());
    chain.add(account, all);
  });
  return chain;
}

export function hash256(value: bigint): string {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toString('base64');
}

const valueOf = (message: Message | null | undefined): bigint =>
  message && isInternal(message) ? message.info.value.coins : 0n;

/** By how much a transaction changed the balance of its account, in nanotons. */
export function balanceChange({ tx }: Entry): bigint {
  const sent = sentBy({ account: '', tx }).reduce(
    (sum, { info }) => sum + info.value.coins + info.forwardFee,
    0n,
  );
  return valueOf(tx.inMessage) - sent - tx.totalFees.coins;
}

/** Whether the account sent the value of its message back. */
export function isReturned({ tx: { description } }: Entry): boolean {
  return description.type === 'generic' && description.bouncePhase?.type === 'ok';
}

/** Whether the account refused: a phase failed, or the value was returned. */
export function isRefused({ tx: { description } }: Entry): boolean {
  if (description.type !== 'generic') return false;
  const { computePhase, actionPhase, bouncePhase } = description;
  return (
    Boolean(bouncePhase) ||
    (computePhase.type === 'vm' && !computePhase.success) ||
    actionPhase?.success === false
  );
}
