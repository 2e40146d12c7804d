import { cardAccountStream } from '../../../contracts/events/card-account';
import type { Jobs } from '../../../contracts/ports/jobs';
import { finalInclusion, type FinalInclusionDeps } from '../../solana-final-inclusion';
import { load } from '../../commands/load';
import { archivedEntries } from '../account/archive';
import { moveAccount, type CardMoneyDeps, type CardMovement } from '../account/commands';
import { cardAccountKind } from '../account/decider';
import type { CardAccount } from '../account/state';
import { inclusionOf, isTopUpTakenBack, retractionOf } from '../account/top-up';
import { CARD_TOP_UPS, topUpJob, type TopUpJob } from './reaction';

export interface TopUpDeps extends CardMoneyDeps, FinalInclusionDeps {
  readonly clock: () => Date;
}

/** Tops up accounts until the signal, by each transfer once. */
export function workTopUps(
  deps: TopUpDeps & { readonly jobs: Pick<Jobs, 'work'> },
  signal: AbortSignal,
): Promise<void> {
  return deps.jobs.work({ queue: CARD_TOP_UPS, signal }, ({ data }) => topUp(deps, topUpJob.parse(data)));
}

/**
 * @throws Error while the account is not open, the transaction not in the documents, or the transfer credited as included in another block,
 *   which is still to be taken back: the job is tried again
 */
export async function topUp(deps: TopUpDeps, job: TopUpJob): Promise<void> {
  const { accountId } = job;
  const account = await load(deps.store, cardAccountKind, cardAccountStream(accountId));
  if (!account) throw new Error(`account ${accountId} is not open yet`);
  // The documents may never have it there.
  if (job.type === 'solana' && (await isTakenBack(deps, account, job))) return;
  const movement = await movementOf(deps, job);
  const outcome = movement && (await moveAccount(deps, accountId, movement));
  if (outcome?.refusal) throw new Error(outcome.refusal.detail);
}

async function isTakenBack(
  { store }: Pick<TopUpDeps, 'store'>,
  { accountId, transactions }: CardAccount,
  { signature, blockhash }: Extract<TopUpJob, { type: 'solana' }>,
): Promise<boolean> {
  const id = topUpId(signature);
  const entries = transactions[id]?.entries ?? (await archivedEntries(store, accountId, id));
  return isTopUpTakenBack(entries, inclusionOf(signature, blockhash), signature);
}

/** The id of the transaction of a transfer in its account. @param hash of the transaction on chain */
const topUpId = (hash: string): string => `top-up/${hash}`;

/** Null for a transfer that has brought nothing. */
async function movementOf(deps: TopUpDeps, job: TopUpJob): Promise<CardMovement | null> {
  const now = deps.clock().toISOString();
  const metadata = { now, actor: 'card-top-ups' };
  const of = (hash: string, lt: string | null) => ({
    transactionId: topUpId(hash),
    cardId: null,
    metadata,
    chain: { account: job.address, hash, lt },
  });
  if (job.type === 'retracted') {
    const { transaction, blockhash } = job;
    const inclusion = inclusionOf(transaction, blockhash);
    const entryId = retractionOf(inclusion);
    return { ...of(transaction, null), type: 'reverseTopUp', inclusion, entryId, occurredAt: now };
  }
  if (job.type === 'ton') {
    const { hash, lt, amount, at } = job;
    return { ...of(hash, lt), type: 'topUp', entryId: inclusionOf(hash, null), amount, occurredAt: at };
  }
  const { signature, blockhash, address } = job;
  if (address.chain !== 'solana') throw new Error(`${address.address} is not on Solana`);
  const found = await finalInclusion(deps, address.network, address.address, signature);
  // Included in another block it has another job.
  if (found.blockhash !== blockhash) return null;
  const { accountData, timestamp, slot } = found.item;
  const change = accountData.find(({ account }) => account === address.address)?.nativeBalanceChange ?? 0;
  // A change beyond 2^53 has lost digits in the JSON of the node.
  if (change <= 0 || !Number.isSafeInteger(change)) return null;
  const occurredAt = timestamp === 0 ? now : new Date(timestamp * 1_000).toISOString();
  const amount = String(change);
  const entryId = inclusionOf(signature, blockhash);
  return { ...of(signature, String(slot)), type: 'topUp', entryId, amount, occurredAt };
}
