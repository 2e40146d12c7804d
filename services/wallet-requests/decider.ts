import { refuse, type CommandMetadata } from '../../contracts/decider';
import {
  walletRequestEvents,
  type WalletRequestAnswer,
  type WalletRequestEvent,
} from '../../contracts/events/wallet-request';
import type { TonNetwork } from '../../contracts/network/network';
import type { EncryptedText } from '../../contracts/text/personal-text';
import type { StreamKind } from '../commands/stream-kind';
import type { Remove } from '../retention/retention';
import { MAX_PENDING_FROM_SOURCE, type Place } from './places';

/** Requests of one requestor that may be pending at a time. */
export const MAX_PENDING_REQUESTS = 20;

interface Parties {
  readonly requestId: string;
  readonly network: TonNetwork;
  /** Raw. */
  readonly requestor: string;
  /** Raw. */
  readonly confirmant: string;
}

export interface CreateRequest extends Parties {
  readonly type: 'create';
  readonly expirationSeconds: number;
  readonly message: EncryptedText | null;
  /** The `metadata` of the request. */
  readonly attached: EncryptedText | null;
  /** Other requests of the requestor that are pending, as far as is known. */
  readonly pending: number;
  /** Where it was sent from, see `CallerSource`. */
  readonly source: string;
  readonly place: Pick<Place, 'fromSource' | 'isFull'>;
  readonly metadata: CommandMetadata;
}

export interface Respond extends Pick<
  WalletRequestAnswer,
  'signedAt' | 'publicKey' | 'signature' | 'response'
> {
  readonly type: 'respond';
  readonly network: TonNetwork;
  /** Raw: the wallet that has signed. */
  readonly wallet: string;
  readonly status: 'confirmed' | 'declined';
  readonly metadata: CommandMetadata;
}

interface Expire {
  readonly type: 'expire';
  /** Ends it before its time: its place is given to the request of a caller who has fewer. */
  readonly displaced?: boolean;
  readonly metadata: CommandMetadata;
}

export type WalletRequestCommand = CreateRequest | Respond | Expire | Remove;

export interface WalletRequest extends Parties {
  readonly created: string;
  readonly expiresAt: string;
  readonly message: EncryptedText | null;
  readonly metadata: EncryptedText | null;
  readonly status: 'pending' | 'confirmed' | 'declined' | 'expired';
  /** Null unless it was confirmed or declined. */
  readonly answer: Pick<
    WalletRequestAnswer,
    'at' | 'signedAt' | 'publicKey' | 'signature' | 'response'
  > | null;
}

/** Whether the time for an answer has passed at an instant. */
export function isPastExpiry({ expiresAt }: Pick<WalletRequest, 'expiresAt'>, now: string): boolean {
  return Date.parse(now) >= Date.parse(expiresAt);
}

/**
 * A request is pending until its confirmant answers or its time has passed, and final then. The stream is that of the
 * signature which created it: the same command again changes nothing, however often it is sent.
 */
export const walletRequestKind: StreamKind<WalletRequest | null, WalletRequestCommand, WalletRequestEvent> = {
  events: walletRequestEvents,
  decider: {
    initial: () => null,
    evolve(state, { type, data }) {
      if (type === 'WalletRequestCreated') {
        const { at: created, source: _, ...facts } = data;
        return { ...facts, created, status: 'pending', answer: null };
      }
      if (type === 'WalletRequestRemoved') return null;
      if (type === 'WalletRequestExpired') return { ...state!, status: 'expired' };
      const { at, signedAt, publicKey, signature, response } = data;
      const status = type === 'WalletRequestConfirmed' ? 'confirmed' : 'declined';
      return { ...state!, status, answer: { at, signedAt, publicKey, signature, response } };
    },
    decide(state, command) {
      if (command.type === 'create') return create(state, command);
      if (command.type === 'respond') return respond(state, command);
      const { now: at } = command.metadata;
      if (command.type === 'remove')
        return state && state.status !== 'pending'
          ? [{ type: 'WalletRequestRemoved', data: { ...partiesOf(state), at } }]
          : [];
      if (state?.status !== 'pending' || !(command.displaced || isPastExpiry(state, at))) return [];
      return [{ type: 'WalletRequestExpired', data: { ...partiesOf(state), at } }];
    },
  },
};

type Decide<C> = (
  state: WalletRequest | null,
  command: C,
) => ReturnType<typeof walletRequestKind.decider.decide>;

const create: Decide<CreateRequest> = (state, command) => {
  if (state) {
    if (state.network === command.network) return [];
    return refuse('signature_reused', 'The signature was used for a request on another network.');
  }
  if (command.pending >= MAX_PENDING_REQUESTS)
    return refuse(
      'too_many_wallet_requests',
      `A wallet may have at most ${MAX_PENDING_REQUESTS} pending requests.`,
    );
  if (command.place.isFull || command.place.fromSource >= MAX_PENDING_FROM_SOURCE)
    return refuse('too_many_wallet_requests', 'Too many requests wait for an answer of the confirmant.');
  const { now: at } = command.metadata;
  const expiresAt = new Date(Date.parse(at) + command.expirationSeconds * 1_000).toISOString();
  const { source, message, attached: metadata } = command;
  return [
    {
      type: 'WalletRequestCreated',
      data: { ...partiesOf(command), source, at, expiresAt, message, metadata },
    },
  ];
};

const respond: Decide<Respond> = (state, command) => {
  const { wallet, status, signedAt, publicKey, signature, response } = command;
  if (!state || state.network !== command.network)
    return refuse('wallet_request_not_found', 'There is no request with this id on the network.');
  if (wallet !== state.confirmant)
    return refuse('wallet_request_wrong_wallet', 'The request is addressed to another wallet.');
  if (state.status === status) return [];
  const { now: at } = command.metadata;
  if (state.status === 'expired' || (state.status === 'pending' && isPastExpiry(state, at)))
    return refuse('wallet_request_expired', `The request expired at ${state.expiresAt}.`);
  if (state.status !== 'pending')
    return refuse('wallet_request_answered', `The request was already ${state.status}.`);
  const data = { ...partiesOf(state), at, signedAt, publicKey, signature, response };
  return [{ type: status === 'confirmed' ? 'WalletRequestConfirmed' : 'WalletRequestDeclined', data }];
};

const partiesOf = ({ requestId, network, requestor, confirmant }: Parties): Parties => ({
  requestId,
  network,
  requestor,
  confirmant,
});
