import type { Logger } from 'pino';
import { messageOf as textOf } from '../../../contracts/text/error-message';
import type { TonNetwork } from '../../../contracts/network/network';
import { fetchCells } from '../block-transactions';
import type { FetchedBlock } from '../reconcile';
import type { LogRecord } from '../records';
import { isInShard } from '../shards';
import { SourceError, type TonSource } from '../source';
import type { forgottenReceivers } from './forgotten-receivers';
import { nodeOfRecord, traceNode, type TraceNode } from './node';
import { messageOf, type OpenMessage } from './open-trace';
import { receivers } from './receivers';

/** Pages of a receiver's chain that are read for a message that no block listed. */
const MAX_SEARCH_PAGES = 5;

interface ReaderDeps {
  readonly network: TonNetwork;
  readonly source: TonSource;
  readonly logger: Logger;
  readonly findForgotten: ReturnType<typeof forgottenReceivers>;
}

/** Reads the transactions of any account in one block. */
export interface BlockReader {
  /** Whether the account may have transactions. */
  has(account: string): boolean;
  /** From now on the account is read by its chain, for what earlier blocks, or none, have listed. */
  search(account: string): void;
  /** Also those of a shard of which the block does not list everything. */
  isSearched(account: string): boolean;
  /**
   * The transactions of an account in the block, or since it was sent messages where it is searched. Null when they could not
   * be read.
   */
  read(
    account: string,
    awaited: readonly OpenMessage[],
    signal: AbortSignal,
  ): Promise<readonly TraceNode[] | null>;
}

/** The records of a block with those that it did not list. */
function byAccount(
  { records }: FetchedBlock,
  chain: readonly LogRecord[],
): Map<string, readonly LogRecord[]> {
  const known = new Map(records);
  for (const record of chain) {
    const others = known.get(record.account) ?? [];
    if (!others.includes(record)) known.set(record.account, [...others, record]);
  }
  return known;
}

/** The lowest logical time at which one of the messages was created. */
function oldest(messages: readonly OpenMessage[]): string {
  const created = messages.map(message => messageOf(message).createdLt);
  return created.reduce((first, lt) => (BigInt(lt) < BigInt(first) ? lt : first));
}

export function blockReader(
  { network, source, logger, findForgotten }: ReaderDeps,
  block: FetchedBlock,
  chain: readonly LogRecord[],
): BlockReader {
  const { seqno } = block.block;
  const known = byAccount(block, chain);
  const readReceiver = receivers({ source, maxPages: MAX_SEARCH_PAGES, seqno });
  const cached = new Map<string, readonly TraceNode[]>();
  const searched = new Set<string>();

  async function readListed(account: string, signal: AbortSignal): Promise<readonly TraceNode[]> {
    const records = known.get(account);
    if (records) return records.flatMap(record => nodeOfRecord(record) ?? []);
    const cells = await fetchCells(source, account, block.listed.get(account)!, signal);
    return [...cells.values()].flatMap(cell => traceNode(account, cell) ?? []);
  }

  const isSearched = (account: string): boolean =>
    searched.has(account) || block.incompleteShards.some(range => isInShard(account, range));

  async function search(
    account: string,
    awaited: readonly OpenMessage[],
    signal: AbortSignal,
  ): Promise<readonly TraceNode[]> {
    const { nodes, isWhole } = await readReceiver(account, oldest(awaited), signal);
    if (!isWhole) return nodes;
    const found = new Set(nodes.map(({ received }) => received));
    const missing = awaited.filter(message => !found.has(messageOf(message).hash));
    const forgotten = await Promise.all(missing.map(message => findForgotten(message, seqno, signal)));
    return [...nodes, ...forgotten.filter(node => node !== null)];
  }

  return {
    has: account => isSearched(account) || known.has(account) || block.listed.has(account),
    search: account => void searched.add(account),
    isSearched,
    async read(account, awaited, signal) {
      try {
        if (isSearched(account)) return await search(account, awaited, signal);
        const nodes = cached.get(account) ?? (await readListed(account, signal));
        cached.set(account, nodes);
        return nodes;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof SourceError)) throw error;
        logger.warn({ network, seqno, account, reason: textOf(error) }, 'ton trace not continued, retrying');
        return null;
      }
    },
  };
}
