import { SOLANA_TRANSACTIONS } from '../../../contracts/chain/solana';
import type { SolanaNetwork } from '../../../contracts/network/network';
import type { Document } from '../../../contracts/ports/documents';
import { loadIdentity, replaceIdentity } from '../../../indexers/network-identity';
import { affectedAccounts, isConsensusVote } from '../../../indexers/solana/affected-accounts';
import { BACKFILLS, type BackfillProgress } from '../../../indexers/solana/backfill/progress';
import { loadCursor } from '../../../indexers/solana/cursor';
import { SOLANA_INDEXER_STATE, SOLANA_TOPICS } from '../../../indexers/solana/indexer';
import { newMessage } from '../../../indexers/solana/records';
import { resetAccount, resetCursor } from '../../../indexers/solana/reset';
import { firstBlock } from '../../../indexers/solana/resume';
import type { SolanaSource } from '../../../indexers/solana/source';
import { verifyPublished } from '../../../indexers/solana/verify-published';
import { watchedAddresses } from '../../../indexers/watches';
import type { NetworkReport } from './report';
import { type NetworkVerification, PAGE } from './verification';

export type SolanaVerification = NetworkVerification<SolanaNetwork, SolanaSource>;

/** Compares what is stored of a Solana network with its source. Safe beside a running program. @throws WrongNetwork */
export async function verifySolana(deps: SolanaVerification): Promise<NetworkReport> {
  const { network, source, identity, documents, log, store, fix } = deps;
  await documents.declare(SOLANA_INDEXER_STATE.collections);
  await log.declare(SOLANA_TOPICS);
  const stored = await loadIdentity({ chain: 'solana', network, documents });
  const isAnother = stored !== null && stored !== identity;
  const cursor = isAnother ? false : await verifyCursor(deps);

  // First: what was not final then is the tail's to take back, and accounts that are watched later are read up to this block, too.
  const next = fix && cursor === false ? await firstBlock(source) : undefined;
  const published = await verifyPublished(deps);
  const accounts = new Set([
    ...published.false.map(({ account }) => account),
    // Blocks are passed over, and anybody may have a transaction in them.
    ...(cursor === false ? await watchedAddresses(store, { chain: 'solana', network }) : []),
  ]);
  for await (const address of backfilled(deps)) {
    if (accounts.has(address)) continue;
    // What an earlier repair took back, but did not have read again.
    const isUnread = published.unread.has(address);
    if (isUnread || (!published.accounts.has(address) && (await hasHistory(source, address))))
      accounts.add(address);
  }
  if (fix) {
    for (let at = 0; at < published.false.length; at += PAGE)
      await log.publish(SOLANA_TRANSACTIONS.name, published.false.slice(at, at + PAGE).map(newMessage));
    for (const address of accounts) await resetAccount(deps, address, next);
    // Last: until then a running program reads nothing of the network, and the next repair after a crash does all of it again.
    if (next) await resetCursor(deps, next);
    if (isAnother) await replaceIdentity({ chain: 'solana', network, documents }, identity);
  }
  return {
    network: `solana:${network}`,
    identity: { stored, source: identity },
    cursor,
    transactions: published.transactions,
    false: published.false.length,
    unknown: published.unknown,
    accounts: [...accounts],
    fixed: fix,
  };
}

/** Whether the source has the last final block of the cursor; null when there is none, or the source cannot answer. */
async function verifyCursor({ network, source, documents }: SolanaVerification): Promise<boolean | null> {
  const cursor = await loadCursor(documents, network);
  if (!cursor) return null;
  const { slot, blockhash } = cursor.finalized;
  const outcome = await source.header(slot, 'finalized');
  return 'found' in outcome ? outcome.found.blockhash === blockhash : null;
}

/** Addresses whose history was read. */
async function* backfilled({ network, documents }: SolanaVerification): AsyncGenerator<string> {
  for await (const page of documents.scan<BackfillProgress & Document>(BACKFILLS.name, { limit: PAGE }))
    for (const progress of page)
      if (progress.network === network && progress.phase === 'done') yield progress.address;
}

/** Signatures of an account that are looked at. */
const MAX_SIGNATURES = 20;

/** Whether an account without a stored transaction has one that would be. */
async function hasHistory(source: SolanaSource, address: string): Promise<boolean> {
  const page = { before: null, limit: MAX_SIGNATURES, minSlot: 0 };
  const entries = await source.signatures(address, page, 'finalized');
  const found = await source.transactions(
    entries.map(({ signature }) => signature),
    'finalized',
  );
  return found.some(
    each => each && !isConsensusVote(each.raw) && affectedAccounts(each.raw, new Set([address])).length > 0,
  );
}
