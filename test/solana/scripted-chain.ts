import type { Finality } from '../../contracts/chain/solana';
import type { RawBlock, RawTransaction } from '../../indexers/solana/raw';
import type { Absent, Found, SignatureEntry, SolanaSource } from '../../indexers/solana/source';

export interface Scripted extends RawBlock {
  readonly height: number;
}

/** A fault of one call: an absence, an error, or none. */
type Fault = (call: keyof SolanaSource, slot: number | null) => Absent | Error | null;

/** A chain whose forks, finality and faults a test scripts. */
export interface ScriptedChain {
  readonly source: SolanaSource;
  /** Adds a block on top of another (default: of the tip) and makes it the tip. */
  add(slot: number, transactions?: readonly RawTransaction[], parent?: Scripted): Scripted;
  /** Makes a block the tip: blocks that are not its ancestors are abandoned. */
  choose(block: Scripted): void;
  finalize(slot: number): void;
  readonly tip: Scripted;
  /** The highest slot that ever had a block. */
  readonly highest: number;
  /** From the genesis on to the tip. */
  canonical(): readonly Scripted[];
  fault: Fault;
  tokenAccounts: (owner: string) => string[];
}

export function createScriptedChain(): ScriptedChain {
  let created = 0;
  const first: Scripted = {
    slot: 0,
    height: 0,
    blockhash: 'block-0',
    previousBlockhash: 'none',
    parentSlot: 0,
    blockTime: 1_700_000_000,
    transactions: [],
  };
  const blocks = new Map([[first.blockhash, first]]);
  let tip = first;
  let finalized = 0;

  const canonical = (): Scripted[] => {
    const chain: Scripted[] = [];
    for (let at: Scripted | undefined = tip; at; at = blocks.get(at.previousBlockhash)) chain.unshift(at);
    return chain;
  };
  const at = (slot: number, finality: Finality): Scripted | undefined =>
    finality === 'finalized' && slot > finalized ? undefined : canonical().find(block => block.slot === slot);

  const chain: ScriptedChain = {
    fault: () => null,
    tokenAccounts: () => [],
    get tip() {
      return tip;
    },
    get highest() {
      return Math.max(...[...blocks.values()].map(({ slot }) => slot));
    },
    canonical,
    add(slot, transactions = [], parent = tip) {
      const block: Scripted = {
        slot,
        height: parent.height + 1,
        blockhash: `block-${slot}-${++created}`,
        previousBlockhash: parent.blockhash,
        parentSlot: parent.slot,
        blockTime: 1_700_000_000 + slot,
        transactions,
      };
      blocks.set(block.blockhash, block);
      tip = block;
      return block;
    },
    choose(block) {
      tip = block;
    },
    finalize(slot) {
      finalized = slot;
    },
    source: undefined as unknown as SolanaSource,
  };

  const call = async <T>(name: keyof SolanaSource, slot: number | null, answer: () => T): Promise<T> => {
    await Promise.resolve();
    const fault = chain.fault(name, slot);
    if (fault instanceof Error) throw fault;
    return fault === null ? answer() : ({ absent: fault } as T);
  };
  const blockAt = <T>(
    name: keyof SolanaSource,
    slot: number,
    finality: Finality,
    see: (block: Scripted) => T,
  ) =>
    call<Found<T>>(name, slot, () => {
      const block = at(slot, finality);
      return block ? { found: see(block) } : { absent: slot <= tip.slot ? 'skipped' : 'pending' };
    });
  const mentions = (raw: RawTransaction, account: string): boolean =>
    raw.transaction.message.accountKeys.includes(account);

  return Object.assign(chain, {
    source: {
      slot: finality => call('slot', null, () => (finality === 'finalized' ? finalized : tip.slot)),
      slotHint: finality => call('slotHint', null, () => (finality === 'finalized' ? finalized : tip.slot)),
      slots: (from, to, finality) =>
        call('slots', from, () =>
          canonical()
            .map(({ slot }) => slot)
            .filter(slot => slot >= from && slot <= to && at(slot, finality)),
        ),
      block: (slot, finality) => blockAt('block', slot, finality, block => block),
      header: (slot, finality) => blockAt('header', slot, finality, block => block),
      blockSignatures: (slots, finality) =>
        Promise.all(
          slots.map(slot =>
            blockAt('blockSignatures', slot, finality, block => ({
              ...block,
              signatures: block.transactions.map(raw => raw.transaction.signatures[0]!),
            })),
          ),
        ),
      signatures: (account, { before, limit, minSlot }, finality) =>
        call('signatures', null, () => {
          if (minSlot > (finality === 'finalized' ? finalized : tip.slot))
            throw new Error(`the node has not reached slot ${minSlot}`);
          const all = canonical()
            .filter(({ slot }) => at(slot, finality))
            .flatMap(({ slot, transactions }) =>
              transactions
                .filter(raw => mentions(raw, account))
                .map((raw): SignatureEntry => ({ slot, signature: raw.transaction.signatures[0]! })),
            )
            .reverse();
          const start = before === null ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
          return all.slice(start, start + limit);
        }),
      transactions: (signatures, finality) =>
        call('transactions', null, () =>
          signatures.map(signature => {
            for (const { slot, transactions } of canonical()) {
              const raw = transactions.find(({ transaction }) => transaction.signatures[0] === signature);
              if (raw && at(slot, finality)) return { slot, raw };
            }
            return null;
          }),
        ),
      tokenAccounts: owner => call('tokenAccounts', null, () => chain.tokenAccounts(owner)),
      waitForSlot: () => new Promise(resolve => setImmediate(resolve)),
    } satisfies SolanaSource,
  });
}
