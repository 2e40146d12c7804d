import type { Logger } from 'pino';
import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import { messageOf } from '../../contracts/text/error-message';
import type { TonNetwork } from '../../contracts/network/network';
import type { Documents } from '../../contracts/ports/documents';
import { concurrentMap } from '../concurrent-map';
import { Gap } from '../gap';
import type { IndexScope } from '../indexer';
import { headsInShard, type AccountHeads } from './account-heads';
import type { SelectedBlock } from './block-transactions';
import type { VerifyContracts } from './verify-contracts';
import type { LogRecord } from './records';
import type { ShardRange } from './shards';
import type { TonSource } from './source';
import { isOlder, readMissing } from './transaction-chain';

export interface FetchedBlock extends SelectedBlock {
  readonly records: ReadonlyMap<string, readonly LogRecord[]>;
}

interface ReconcileDeps {
  readonly network: TonNetwork;
  readonly source: TonSource;
  readonly verify: VerifyContracts;
  readonly documents: Documents;
  readonly logger: Logger;
  readonly scope: IndexScope;
}

const SWEEP_CONCURRENCY = 16;

/** The heads after one block, applied only once the whole block is reconciled. */
function draftOf(heads: AccountHeads) {
  const changed = new Map<string, TransactionRef>();
  return {
    get: (account: string) => changed.get(account) ?? heads.get(account),
    set: (account: string, to: TransactionRef) => void changed.set(account, to),
    apply: () => changed.forEach((to, account) => heads.set(account, to)),
  };
}

interface Reconciliation {
  readonly deps: ReconcileDeps;
  readonly heads: ReturnType<typeof draftOf>;
  readonly seqno: number;
  readonly signal: AbortSignal;
}

const missing = (
  { deps: { source, verify, network }, seqno, signal }: Reconciliation,
  account: string,
  head: TransactionRef,
  from: TransactionRef,
) => readMissing({ source, verify }, head, from, { network, account, seqno, origin: 'tail' }, signal);

/** Continues an account's chain with records of a block, adding what was not listed between. */
async function continueChain(
  reconciliation: Reconciliation,
  account: string,
  records: readonly LogRecord[],
): Promise<LogRecord[]> {
  const chain: LogRecord[] = [];
  for (const next of records) {
    const head = reconciliation.heads.get(account);
    // Forgotten after the block was selected.
    if (!head && reconciliation.deps.scope === 'watched') continue;
    if (head && !isOlder(head, next)) continue;
    if (head && next.prev) chain.push(...(await missing(reconciliation, account, head, next.prev)));
    chain.push(next);
    reconciliation.heads.set(account, next);
  }
  return chain;
}

/** Reads the transactions of each followed account of a shard in blocks that were not listed. */
async function* sweep(reconciliation: Reconciliation, range: ShardRange): AsyncGenerator<LogRecord[]> {
  const { deps, heads, seqno, signal } = reconciliation;
  for await (const page of headsInShard(deps.documents, deps.network, range))
    yield* concurrentMap(page, SWEEP_CONCURRENCY, async ({ account, lt, hash }) => {
      const head = heads.get(account) ?? { lt, hash };
      const last = await deps.source.last(account, seqno, signal);
      if (!last || !isOlder(head, last)) return [];
      const records = await missing(reconciliation, account, head, last);
      heads.set(account, last);
      return records;
    });
}

const byLt = (a: LogRecord, b: LogRecord): number => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1);

/**
 * The records of a block in the order of logical time; advances the heads. Every followed account's chain is continued
 * from its head, including transactions that the source did not list.
 * @throws Gap when a chain cannot be continued; the heads are then unchanged
 */
export async function reconcile(
  deps: ReconcileDeps,
  heads: AccountHeads,
  { block: { seqno }, records, incompleteShards }: FetchedBlock,
  signal: AbortSignal,
): Promise<LogRecord[]> {
  const reconciliation = { deps, heads: draftOf(heads), seqno, signal };
  const all: LogRecord[] = [];
  try {
    for (const [account, listed] of records)
      all.push(...(await continueChain(reconciliation, account, listed)));
    for (const range of incompleteShards) {
      const { workchain, from, to } = range;
      deps.logger.warn(
        { network: deps.network, seqno, workchain, from: from.toString(16), to: to.toString(16) },
        'ton shard not listed in full, reading each followed account of it',
      );
      for await (const found of sweep(reconciliation, range)) all.push(...found);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new Gap(seqno, messageOf(error), { cause: error });
  }
  reconciliation.heads.apply();
  return all.sort(byLt);
}
