import { gaslessRelayStream } from '../../../contracts/events/gasless-relay';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Jobs } from '../../../contracts/ports/jobs';
import { load } from '../../commands/load';
import { walletAt } from '../../wallet-v5/wallet-v5';
import type { Relayer } from '../deps';
import { gaslessRelayKind } from './decider';
import { GASLESS_OUTCOMES, GASLESS_SENDING } from './jobs';
import { relayAddress } from './relay-account';

/** What operators have to know of a relayer. */
export interface RelayStatus {
  /** Raw. */
  readonly relay: string;
  /** Nanotons. */
  readonly balance: bigint;
  /** Less than what has to stay there: nothing is accepted. */
  readonly isLow: boolean;
  /** Requests in the message that may still be carried out, and since when; null when there is none. */
  readonly live: { readonly requests: number; readonly since: string } | null;
}

/** @throws when no node has answered */
export async function relayStatus(
  { store }: { readonly store: Pick<EventStore, 'readStream'> },
  relayer: Pick<Relayer, 'network' | 'key' | 'client' | 'minBalance'>,
): Promise<RelayStatus> {
  const relay = relayAddress(relayer);
  const { seqno } = await relayer.client.getLastBlock();
  const { balance } = await walletAt(relayer, relay, seqno);
  const state = await load(store, gaslessRelayKind, gaslessRelayStream(relayer.network, relay));
  const live = state?.live ?? null;
  return {
    relay,
    balance,
    isLow: balance < relayer.minBalance,
    live: live && { requests: live.requests.length, since: live.at },
  };
}

/** After this a message of the relay wallet has expired, and a block should have shown it. */
const STUCK_MS = 300_000;

/** What is wrong with a relayer, in a line; null when nothing is. @param now milliseconds since the epoch */
export function relayFault({ isLow, live }: RelayStatus, now: number): string | null {
  if (isLow) return 'the relay wallet has less than its minimum';
  const isStuck = live !== null && now - Date.parse(live.since) > STUCK_MS;
  return isStuck ? `a message of the relay wallet is in no block since ${live.since}` : null;
}

/** Transfers that wait to be sent on, and messages of relay wallets of whose transfers it is not known what became of them. */
export async function openGaslessCounts(
  jobs: Pick<Jobs, 'counts'>,
): Promise<{ readonly sending: number; readonly unknown: number }> {
  const [sending, outcomes] = [await jobs.counts(GASLESS_SENDING), await jobs.counts(GASLESS_OUTCOMES)];
  return {
    sending: sending.waiting + sending.running,
    unknown: outcomes.waiting + outcomes.running,
  };
}
