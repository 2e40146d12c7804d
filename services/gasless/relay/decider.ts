import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import {
  gaslessRelayEvents,
  type GaslessRelayEvent,
  type GaslessRelayMessageSigned,
} from '../../../contracts/events/gasless-relay';
import type { StreamKind } from '../../commands/stream-kind';

type Signed = GaslessRelayMessageSigned['data'];

/** The last message of a relay wallet. */
export interface RelayState {
  readonly count: number;
  /** Of the next message: a node that is behind may say an earlier one, with which a message would never be carried out. */
  readonly nextSeqno: number;
  /** While nobody knows whether it is in a block; then null. */
  readonly live: Signed | null;
  readonly last: Pick<Signed, 'network' | 'relay' | 'validUntil'>;
}

/** What the chain says of the last message. */
export interface RelaySeen {
  /** Messages that the relay wallet has carried out. */
  readonly seqno: number;
  /** A block after the expiry of the message does not have it: no later one will. */
  readonly isExpired: boolean;
}

export type RelayCommand = { readonly metadata: CommandMetadata } & (
  | {
      readonly type: 'sign';
      /** Messages that were signed before this one, when it was decided what to sign. */
      readonly after: number;
      readonly message: Omit<Signed, 'count' | 'at'>;
    }
  /** Of the message of that count. */
  | { readonly type: 'observe'; readonly count: number; readonly seen: RelaySeen }
);

/** A relay wallet has one message at a time that may still be carried out: the next is signed once that is decided. */
export const gaslessRelayKind: StreamKind<RelayState | null, RelayCommand, GaslessRelayEvent> = {
  events: gaslessRelayEvents,
  lastEventIsState: true,
  decider: {
    initial: () => null,
    evolve: (_, { type, data }) => ({
      count: data.count,
      nextSeqno: data.seqno + (type === 'GaslessRelayMessageIncluded' ? 1 : 0),
      live: type === 'GaslessRelayMessageSigned' ? data : null,
      last: data,
    }),
    decide(state, command) {
      if (command.type === 'sign') return sign(state, command);
      return observe(state, command);
    },
  },
};

function sign(
  state: RelayState | null,
  { after, message, metadata }: Extract<RelayCommand, { type: 'sign' }>,
): readonly GaslessRelayEvent[] | Refusal {
  if ((state?.count ?? 0) !== after || state?.live)
    return refuse('gasless_in_flight', 'The relay wallet has signed another message.');
  if (message.seqno < (state?.nextSeqno ?? 0))
    return refuse('gasless_in_flight', 'The node does not know the last message of the relay wallet yet.');
  return [{ type: 'GaslessRelayMessageSigned', data: { ...message, count: after + 1, at: metadata.now } }];
}

function observe(
  state: RelayState | null,
  { count, seen, metadata }: Extract<RelayCommand, { type: 'observe' }>,
): readonly GaslessRelayEvent[] {
  if (state?.count !== count) return [];
  const { live, nextSeqno } = state;
  const { network, relay, validUntil } = state.last;
  const about = { network, relay, count, validUntil, at: metadata.now };
  if (live && seen.seqno > live.seqno) {
    const { seqno, requests, messageHash } = live;
    return [{ type: 'GaslessRelayMessageIncluded', data: { ...about, seqno, requests, messageHash } }];
  }
  // One that was in a block, or earlier ones, are not any more where a fork has taken them back.
  const isGone = live !== null || seen.seqno < nextSeqno;
  return isGone && seen.isExpired
    ? [{ type: 'GaslessRelayMessageExpired', data: { ...about, seqno: seen.seqno } }]
    : [];
}
