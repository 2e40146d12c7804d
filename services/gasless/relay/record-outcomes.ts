import { gaslessBudgetStream } from '../../../contracts/events/gasless-budget';
import { gaslessSendStream } from '../../../contracts/events/gasless-send';
import type { TonNetwork } from '../../../contracts/network/network';
import type { TonHashTransaction } from '../../../projections/ton/messages';
import type { TonTraces } from '../../../projections/ton/traces/queries';
import type { TonTransactions } from '../../../projections/ton/transactions/queries';
import { load } from '../../load';
import { gaslessBudgetKind } from '../budget/decider';
import type { GaslessDeps } from '../deps';
import { gaslessSendKind, type GaslessSend } from '../send/decider';
import type { OutcomesJob } from './jobs';
import { outcomeOf, type SendOutcome } from './outcome';

export interface OutcomeDeps extends Pick<GaslessDeps, 'store' | 'handle' | 'clock'> {
  /** The transaction of an external message, by its hash (hex). */
  transactionByHash(network: TonNetwork, hash: string): Promise<TonHashTransaction | null>;
  readonly transactions: Pick<TonTransactions, 'withLts'>;
  readonly traces: Pick<TonTraces, 'places'>;
  /** Of each request, once; `unsent`: the relay wallet had no coins for it. */
  onOutcome?(outcome: SendOutcome['type'] | 'unsent'): void;
}

type Outcome = SendOutcome | { readonly type: 'unsent' };

/**
 * Records what became of the requests that a message of the relay wallet has sent on, as far as its trace shows.
 * @returns of how many it is not known yet
 */
export async function recordOutcomes(
  deps: OutcomeDeps,
  { network, relay, messageHash, requests }: Omit<OutcomesJob, 'run' | 'count'>,
): Promise<number> {
  const sends = await Promise.all(
    requests.map(({ wallet, seqno }) =>
      load(deps.store, gaslessSendKind, gaslessSendStream({ network, wallet, seqno })),
    ),
  );
  const open = sends.flatMap(send =>
    send?.step === 'relayed' && send.messageHash === messageHash ? [send] : [],
  );
  if (open.length === 0) return 0;
  const outcome = await outcomesOf(deps, { network, relay, messageHash });
  let unknown = 0;
  for (const send of open) {
    const found = outcome(send.accepted.wallet);
    if (found) await record(deps, send, messageHash, found);
    else unknown += 1;
  }
  return unknown;
}

type OutcomeOf = (wallet: string) => Outcome | null;

async function outcomesOf(
  { transactionByHash, transactions, traces }: OutcomeDeps,
  { network, relay, messageHash }: Pick<OutcomesJob, 'network' | 'relay' | 'messageHash'>,
): Promise<OutcomeOf> {
  const unknown: OutcomeOf = () => null;
  const found = await transactionByHash(network, messageHash);
  if (!found) return unknown;
  const [[transaction], [place]] = await Promise.all([
    transactions.withLts(network, relay, [found.lt]),
    traces.places(network, relay, [found.lt]),
  ]);
  if (!transaction) return unknown;
  const sentTo = new Set(
    transaction.outMessages.flatMap(({ info }) => (info.type === 'internal' ? [info.dest] : [])),
  );
  return wallet => {
    if (!sentTo.has(wallet)) return { type: 'unsent' };
    return place?.trace ? outcomeOf(place.trace, wallet) : null;
  };
}

async function record(
  deps: OutcomeDeps,
  { accepted }: GaslessSend,
  messageHash: string,
  outcome: Outcome,
): Promise<void> {
  const { network, wallet, seqno, bodyHash } = accepted;
  // First: after a crash in between it is counted again, unless something else was; the other way round it never would be.
  if (outcome.type === 'bounced' || outcome.type === 'skipped') await countBounce(deps, accepted);
  const command = { bodyHash, metadata: { now: deps.clock().toISOString(), actor: 'gasless' } };
  await deps.handle(gaslessSendKind, gaslessSendStream({ network, wallet, seqno }), {
    ...command,
    ...commandOf(outcome, messageHash),
  });
  deps.onOutcome?.(outcome.type);
}

function commandOf(outcome: Outcome, messageHash: string) {
  switch (outcome.type) {
    case 'unsent':
      return { type: 'recordUnsent', messageHash } as const;
    case 'bounced':
      return { type: 'recordBounced', exitCode: outcome.exitCode } as const;
    case 'skipped':
      return { type: 'recordSkipped', transaction: outcome.transaction } as const;
    case 'confirmed':
      return { type: 'recordConfirmed', transaction: outcome.transaction } as const;
  }
}

/** For the wallet, which a key has one of, and for where the call came from. */
async function countBounce(
  { handle, clock }: OutcomeDeps,
  { network, wallet, source, bodyHash }: GaslessSend['accepted'],
): Promise<void> {
  for (const subject of [`wallet:${wallet}`, `source:${source}`])
    await handle(gaslessBudgetKind, gaslessBudgetStream(network, subject), {
      type: 'countBounce',
      ...{ network, subject, bodyHash },
      metadata: { now: clock().toISOString(), actor: 'gasless', commandId: `bounce/${bodyHash}` },
    });
}
