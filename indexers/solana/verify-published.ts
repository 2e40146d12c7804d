import {
  decodeSolanaMessage,
  SOLANA_TRANSACTIONS,
  type SolanaMessage,
  type TransactionRetracted,
} from '../../contracts/chain/solana';
import type { SolanaNetwork } from '../../contracts/network/network';
import type { Log } from '../../contracts/ports/log';
import { concurrentMap } from '../concurrent-map';
import type { SolanaSource } from './source';

/** A transaction in a block, as it is on the log. */
type Published = Extract<SolanaMessage, { type: 'transaction' | 'finalized' }>;

/**
 * `true`: the network has the block. `false`: it has another block in the slot, or none. `unknown`: the source no longer
 * has it, or the slot is not final yet.
 */
type Verdict = 'true' | 'false' | 'unknown';

export interface PublishedReport {
  /** Inclusions that were compared. */
  readonly transactions: number;
  /** Those in blocks that the network does not have, as the records that retract them. */
  readonly false: readonly TransactionRetracted[];
  readonly unknown: number;
  /** Accounts with at least one transaction that is not false. */
  readonly accounts: ReadonlySet<string>;
  /** Accounts of which something was retracted, and no history was read since. */
  readonly unread: ReadonlySet<string>;
}

const CONCURRENCY = 16;
const MAX_CACHED_SLOTS = 20_000;
/** Slots searched for the block that names its parent before an empty slot. */
const MAX_SKIPPED = 1_000;

/**
 * Compares what is on the log of a network with a source, block by block. What was rolled back or retracted counts no more.
 * @throws WrongNetwork
 */
export async function verifyPublished(deps: {
  readonly network: SolanaNetwork;
  readonly source: SolanaSource;
  readonly log: Log;
  readonly signal: AbortSignal;
  onProgress?(done: number, total: number): void;
}): Promise<PublishedReport> {
  const { network, source, log, signal, onProgress } = deps;
  const judge = cachedBySlot(source);
  const wrong = new Map<string, TransactionRetracted>();
  const unknown = new Set<string>();
  const accounts = new Set<string>();
  const unread = new Set<string>();
  let [transactions, done] = [0, 0];

  const ends = await log.endOffsets(SOLANA_TRANSACTIONS.name);
  const total = ends.reduce((sum, end) => sum + end, 0);
  for (const partition of ends.keys()) {
    const from = { topic: SOLANA_TRANSACTIONS.name, partition, from: 0, follow: false, signal };
    for await (const { messages } of log.read(from)) {
      const ours = messages
        .map(({ value }) => decodeSolanaMessage(value))
        .filter(message => message.network === network);
      const published = ours.filter(isPublished);
      for await (const _ of concurrentMap(published, CONCURRENCY, message => judge(message)));
      for (const message of ours) {
        if (message.type === 'backfilled') unread.delete(message.account);
        if (message.type === 'retracted') unread.add(message.account);
        if (message.type === 'backfilled' || message.type === 'removed') continue;
        const id = `${message.account}/${message.signature}/${message.blockhash}`;
        wrong.delete(id);
        unknown.delete(id);
        if (!isPublished(message)) continue;
        const verdict = await judge(message);
        if (message.type === 'transaction') transactions += 1;
        if (verdict === 'false') wrong.set(id, retractionOf(message));
        else accounts.add(message.account);
        if (verdict === 'unknown') unknown.add(id);
      }
      onProgress?.((done += messages.length), total);
    }
  }
  return { transactions, false: [...wrong.values()], unknown: unknown.size, accounts, unread };
}

const isPublished = (message: SolanaMessage): message is Published =>
  message.type === 'transaction' || message.type === 'finalized';

const retractionOf = ({
  network,
  account,
  signature,
  slot,
  blockhash,
  mints,
}: Published): TransactionRetracted => ({
  type: 'retracted',
  network,
  account,
  signature,
  slot,
  blockhash,
  mints,
});

/** Judges inclusions by their blocks, each of which is read once for all that are near each other on the log. */
function cachedBySlot(source: SolanaSource) {
  const blockhashes = new Map<number, Promise<string | 'none' | 'unknown'>>();
  let final = -1;
  const isFinal = async (slot: number): Promise<boolean> => {
    if (slot > final) final = await source.slot('finalized');
    return slot <= final;
  };
  return async ({ slot, blockhash }: Published): Promise<Verdict> => {
    let reading = blockhashes.get(slot);
    if (!reading) {
      if (blockhashes.size >= MAX_CACHED_SLOTS) blockhashes.clear();
      blockhashes.set(slot, (reading = blockhashAt(source, slot, isFinal)));
    }
    const found = await reading;
    if (found === 'unknown') return 'unknown';
    return found === blockhash ? 'true' : 'false';
  };
}

/** `none` when it is proven that the network has no block in the slot. */
async function blockhashAt(
  source: SolanaSource,
  slot: number,
  isFinal: (slot: number) => Promise<boolean>,
): Promise<string | 'none' | 'unknown'> {
  if (!(await isFinal(slot)))
    // Up to the tip forks are the tail's matter.
    return slot > (await source.slot('confirmed')) ? 'none' : 'unknown';
  const outcome = await source.header(slot, 'finalized');
  if ('found' in outcome) return outcome.found.blockhash;
  if (outcome.absent !== 'skipped') return 'unknown';
  // Nodes say `skipped` also of what they have lost. Only the next block proves it, by naming a parent before the slot.
  const [next] = await source.slots(slot + 1, slot + MAX_SKIPPED, 'finalized');
  const after = next === undefined ? null : await source.header(next, 'finalized');
  return after && 'found' in after && after.found.parentSlot < slot ? 'none' : 'unknown';
}
