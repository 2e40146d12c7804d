import { gaslessBudgetStream } from '../../../contracts/events/gasless-budget';
import { gaslessSendStream, type GaslessSendRef } from '../../../contracts/events/gasless-send';
import type { TonNetwork } from '../../../contracts/network/network';
import type { TonHashTransaction } from '../../../projections/ton/messages';
import type { TonTraces } from '../../../projections/ton/traces/queries';
import type { TonTransactions } from '../../../projections/ton/transactions/queries';
import { load } from '../../commands/load';
import { gaslessBudgetKind } from '../budget/decider';
import type { GaslessDeps } from '../deps';
import { MAX_SKEW } from '../chain-time';
import { gaslessSendKind, isInFlight, type GaslessSend } from '../send/decider';
import type { OutcomesJob } from './jobs';
import { outcomeOf, type SendOutcome } from './outcome';
import { isReplaced } from './replaced';

export interface OutcomeDeps extends Pick<GaslessDeps, 'store' | 'handle' | 'clock'> {
  /** The transaction of an external message, by its hash (hex). */
  transactionByHash(network: TonNetwork, hash: string): Promise<TonHashTransaction | null>;
  readonly transactions: Pick<TonTransactions, 'withLts' | 'page'>;
  readonly traces: Pick<TonTraces, 'places'>;
  /** Of each request, once, and once more where a fork has changed it; `unsent`: it was not sent after all. */
  onOutcome?(outcome: SendOutcome['type'] | 'unsent'): void;
}

type Outcome = SendOutcome | { readonly type: 'unsent' };
/** A fork has taken back what became of it. */
const OPEN = { type: 'open' } as const;
type SentOn = Pick<OutcomesJob, 'network' | 'relay' | 'messageHash'>;
type Asked = SentOn & Pick<OutcomesJob, 'requests' | 'occasion'>;

/**
 * Records what became of the requests that a message of the relay wallet has sent on, as far as its trace shows. What was recorded
 * before is looked at again where a fork may have changed it; where the trace shows nothing then, it is open again.
 * @returns of how many it is not known
 */
export async function recordOutcomes(
  deps: OutcomeDeps,
  { requests, occasion, ...message }: Asked,
): Promise<number> {
  const { network, messageHash } = message;
  let unknown = 0;
  let refs: readonly GaslessSendRef[] = requests.map(({ wallet, seqno }) => ({ network, wallet, seqno }));
  while (refs.length > 0) {
    // Before the chain is read: what another worker records in between may be newer than what is read here.
    const sends = await Promise.all(
      refs.map(ref => load(deps.store, gaslessSendKind, gaslessSendStream(ref))),
    );
    const sent = sends.flatMap(send => (send?.messageHash === messageHash ? [send] : []));
    const ended = occasion === '' ? sent.filter(send => !isInFlight(send)) : [];
    // Where the program has crashed before it did.
    for (const send of ended) await countBounces(deps, send);
    const open = sent.filter(send => !ended.includes(send));
    if (open.length === 0) break;
    const outcome = await outcomesOf(deps, message, open);
    const again: GaslessSendRef[] = [];
    for (const send of open) {
      const found = outcome(send.accepted.wallet);
      if (!found) unknown += 1;
      if (!found && isInFlight(send)) continue;
      const done = await record(deps, send, messageHash, found ?? OPEN);
      if (!found) continue;
      // After a fork others may have read the same as was recorded, since this has read something else.
      if (done === 'outdated' || (done === 'recorded' && occasion !== '')) again.push(send.accepted);
    }
    refs = again;
  }
  return unknown;
}

type OutcomeOf = (wallet: string) => Outcome | null;

async function outcomesOf(
  { transactionByHash, transactions, traces }: OutcomeDeps,
  { network, relay, messageHash }: SentOn,
  open: readonly GaslessSend[],
): Promise<OutcomeOf> {
  const unknown: OutcomeOf = () => null;
  const found = await transactionByHash(network, messageHash);
  if (!found) {
    const { relaySeqno: seqno, accepted } = open[0]!;
    const since = Math.floor(Date.parse(accepted.at) / 1_000) - MAX_SKEW;
    const about = { network, relay, messageHash, seqno: seqno!, since };
    return (await isReplaced(transactions, about)) ? () => ({ type: 'unsent' }) : unknown;
  }
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

/** `outdated`: something else was recorded since the request was loaded. */
async function record(
  deps: OutcomeDeps,
  { accepted, observations }: GaslessSend,
  messageHash: string,
  outcome: Outcome | typeof OPEN,
): Promise<'recorded' | 'known' | 'outdated'> {
  const of = { bodyHash: accepted.bodyHash, messageHash, after: observations };
  const recorded = await deps.handle(gaslessSendKind, gaslessSendStream(accepted), {
    ...of,
    ...commandOf(outcome),
    metadata: { now: deps.clock().toISOString(), actor: 'gasless' },
  });
  if (recorded.refusal) return 'known';
  const { events, state } = recorded;
  if (events.length === 0 && state?.observations !== observations) return 'outdated';
  const isOpen = outcome.type === 'open';
  if (events.length > 0 && !isOpen) deps.onOutcome?.(outcome.type);
  if (state && (isOpen || !isInFlight(state))) await countBounces(deps, state);
  return events.length > 0 ? 'recorded' : 'known';
}

function commandOf(outcome: Outcome | typeof OPEN) {
  switch (outcome.type) {
    case 'open':
      return { type: 'recordOpen' } as const;
    case 'unsent':
      return { type: 'recordUnsent' } as const;
    case 'bounced':
      return { type: 'recordBounced', exitCode: outcome.exitCode } as const;
    case 'skipped':
      return { type: 'recordSkipped', transaction: outcome.transaction } as const;
    case 'confirmed':
      return { type: 'recordConfirmed', transaction: outcome.transaction } as const;
  }
}

/** As the newest outcome says, which another worker may have changed: a request counts while it has bounced or was skipped. */
async function countBounces(deps: OutcomeDeps, send: GaslessSend): Promise<void> {
  for (let known: GaslessSend | null = send, counted: boolean | null = null; known;) {
    const isBounced = known.step === 'bounced' || known.step === 'skipped';
    if (counted === isBounced || known.accepted.bodyHash !== send.accepted.bodyHash) return;
    await countBounce(deps, send.accepted, isBounced ? 'countBounce' : 'retractBounce');
    counted = isBounced;
    known = await load(deps.store, gaslessSendKind, gaslessSendStream(send.accepted));
  }
}

/** For the wallet, which a key has one of, and for where the call came from. */
async function countBounce(
  { handle, clock }: OutcomeDeps,
  { network, wallet, source, bodyHash }: GaslessSend['accepted'],
  type: 'countBounce' | 'retractBounce',
): Promise<void> {
  for (const subject of [`wallet:${wallet}`, `source:${source}`])
    await handle(gaslessBudgetKind, gaslessBudgetStream(network, subject), {
      type,
      network,
      subject,
      bodyHash,
      metadata: { now: clock().toISOString(), actor: 'gasless' },
    });
}
