import { SOLANA_DEAD_LETTERS, SOLANA_TRANSACTIONS, type Finality } from '../../../contracts/chain/solana';
import type { SolanaNetwork } from '../../../contracts/network';
import type { Log, NewMessage } from '../../../contracts/ports/log';
import { newMessage, verdicts } from '../messages';
import type { SolanaSource } from '../source';
import type { SolanaIndexerHooks } from '../status';
import { readPage, type Loose } from './page';
import type { Progress } from './progress';

export interface BackfillOptions {
  /** Signatures read at a time; default 100. */
  readonly page?: number;
  /** Signatures followed back for each listed account; default 10,000. */
  readonly depth?: number;
  /** Milliseconds between two looks at whether open slots have become final; default 2,000. */
  readonly settling?: number;
}

export interface BackfillDeps extends BackfillOptions {
  readonly network: SolanaNetwork;
  readonly source: SolanaSource;
  readonly log: Log;
  readonly hooks: SolanaIndexerHooks;
}

/** Begins the history of an account that the tail has not looked for up to `through`. */
export async function beginBackfill(
  { network, source }: BackfillDeps,
  address: string,
  through: number,
): Promise<Progress> {
  const floor = await source.slot('finalized');
  // A transfer to a token account does not mention its owner: the owner's own list is not its whole history.
  const tokenAccounts = await source.tokenAccounts(address);
  return {
    network,
    address,
    phase: 'walk',
    through,
    floor,
    pending: [address, ...tokenAccounts],
    tokenAccounts,
    before: null,
    walked: 0,
    complete: true,
    loose: [],
  };
}

/** Stores how far the history has been read, so that a process that takes over goes on from there. */
type Remember = (progress: Progress) => Promise<void>;

/**
 * One page further, published before this resolves; the same progress when there is nothing to do but wait. What may
 * have to be taken back is remembered before it is published: the process may die between the two.
 *
 * No gap between this and the tail: the tail looks for the account in every slot after `through`. The walk publishes
 * all that was final when it began, up to `floor`, and what it meets above, provisionally. Once `through` and all that
 * was met is final, the slots after `floor` are walked again on the final chain, and what is not on it is taken back.
 */
export async function stepBackfill(
  deps: BackfillDeps,
  progress: Progress,
  remember: Remember,
): Promise<Progress> {
  if (progress.phase === 'done') return progress;
  const [account] = progress.pending;
  if (account !== undefined) return listPage(deps, progress, account, remember);
  return progress.phase === 'walk' ? endWalk(deps, progress) : endSettling(deps, progress);
}

async function listPage(
  deps: BackfillDeps,
  progress: Progress,
  account: string,
  remember: Remember,
): Promise<Progress> {
  const { source, network, page = 100, depth = 10_000 } = deps;
  const { phase, address, floor } = progress;
  const commitment: Finality = phase === 'walk' ? 'confirmed' : 'finalized';
  const entries = await source.signatures(account, { before: progress.before, limit: page }, commitment);
  const wanted = phase === 'walk' ? entries : entries.filter(({ slot }) => slot > floor);
  const final = phase === 'walk' ? floor : Infinity;
  const content = await readPage(source, network, address, wanted, commitment, final);
  const loose = phase === 'walk' ? withLoose(progress.loose, content.included, floor) : progress.loose;
  if (loose.length > progress.loose.length) await remember({ ...progress, loose });
  await publish(deps, content.messages, content.deadLetters);

  const found = content.tokenAccounts.filter(
    token => token !== address && !progress.tokenAccounts.includes(token),
  );
  const walked = progress.walked + entries.length;
  const cut = phase === 'walk' && walked >= depth;
  const ended = entries.length === 0 || wanted.length < entries.length || cut;
  const settled = new Set(content.included.map(inclusionOf));
  return {
    ...progress,
    tokenAccounts: [...progress.tokenAccounts, ...found],
    pending: [...(ended ? progress.pending.slice(1) : progress.pending), ...found],
    before: ended ? null : entries.at(-1)!.signature,
    walked: ended ? 0 : walked,
    complete: progress.complete && !cut,
    loose: phase === 'walk' ? loose : loose.filter(each => !settled.has(inclusionOf(each))),
  };
}

const inclusionOf = ({ signature, blockhash }: Loose): string => `${signature}/${blockhash}`;

/** With those of a page that are above the floor; of a page that is read again, only what it has not told before. */
function withLoose(known: readonly Loose[], included: readonly Loose[], floor: number): readonly Loose[] {
  const before = new Set(known.map(inclusionOf));
  return [...known, ...included.filter(each => each.slot > floor && !before.has(inclusionOf(each)))];
}

async function endWalk(deps: BackfillDeps, progress: Progress): Promise<Progress> {
  const { network, address, floor, through, complete, tokenAccounts, loose } = progress;
  await publish(deps, [newMessage({ type: 'backfilled', network, account: address, slot: floor, complete })]);
  if (through <= floor && loose.length === 0) return { ...progress, phase: 'done' };
  return { ...progress, phase: 'settle', pending: [address, ...tokenAccounts] };
}

async function endSettling(deps: BackfillDeps, progress: Progress): Promise<Progress> {
  const { network, address, loose } = progress;
  const abandoned = loose.flatMap(inclusion =>
    verdicts('rolled-back', network, inclusion, [
      { signature: inclusion.signature, accounts: [{ account: address, mints: inclusion.mints }] },
    ]),
  );
  await publish(deps, abandoned);
  return { ...progress, phase: 'done', loose: [] };
}

/** True when the slots that were open at the walk are not final yet, so that settling has to wait. */
export async function mustWait({ source }: BackfillDeps, progress: Progress): Promise<boolean> {
  if (progress.phase !== 'settle') return false;
  const open = Math.max(progress.through, ...progress.loose.map(({ slot }) => slot));
  return (await source.slot('finalized')) < open;
}

async function publish(
  { log, hooks }: BackfillDeps,
  messages: readonly NewMessage[],
  deadLetters: readonly NewMessage[] = [],
): Promise<void> {
  if (messages.length > 0) await log.publish(SOLANA_TRANSACTIONS.name, messages);
  if (deadLetters.length > 0) await log.publish(SOLANA_DEAD_LETTERS.name, deadLetters);
  hooks.published?.(messages.length);
  hooks.deadLettered?.(deadLetters.length);
}
