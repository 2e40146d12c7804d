import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import {
  gaslessSendEvents,
  type GaslessCommissionEarned,
  type GaslessSendAccepted,
  type GaslessSendEvent,
} from '../../../contracts/events/gasless-send';
import type { StreamKind } from '../../commands/stream-kind';
import type { Remove } from '../../retention/retention';

type Accepted = GaslessSendAccepted['data'];
export type SendStep = 'accepted' | 'relayed' | 'confirmed' | 'bounced' | 'skipped' | 'expired';

export interface GaslessSend {
  /** The newest; earlier ones of the seqno have ended without an effect. */
  readonly accepted: Accepted;
  readonly step: SendStep;
  /** Of the message of the relay wallet that sends it on, hex; null while none that does is in a block. */
  readonly messageHash: string | null;
  /** Of the relay wallet, that of the message. */
  readonly relaySeqno: number | null;
  /** Hashes of all bodies that were accepted. */
  readonly bodies: readonly string[];
  /** Of all of them. */
  readonly hashes: readonly string[];
  /** The transaction of the wallet, while it is confirmed or skipped. */
  readonly transaction: Transaction | null;
  /** The commission of it, while that is in the books. */
  readonly earned: GaslessCommissionEarned['data'] | null;
  /** How often one was earned. */
  readonly earnings: number;
  /** How often it was recorded where it is: who has read the chain before the last time may have seen a branch that is gone. */
  readonly observations: number;
}

interface Transaction {
  readonly lt: string;
  readonly hash: string;
}

type Data<Type extends GaslessSendEvent['type']> = Extract<GaslessSendEvent, { type: Type }>['data'];
/** What became of a request that a message of the relay wallet has sent on, as the chain said after so many observations. */
interface Observed {
  readonly bodyHash: string;
  readonly messageHash: string;
  readonly after: number;
}

type Facts<Type extends GaslessSendEvent['type']> = Omit<
  Data<Type>,
  'network' | 'wallet' | 'seqno' | 'bodyHash' | 'at'
>;

export type GaslessSendCommand = { readonly metadata: CommandMetadata } & (
  | { readonly type: 'accept'; readonly request: Omit<Accepted, 'at'> }
  | ({ readonly type: 'recordRelayed'; readonly bodyHash: string } & Facts<'GaslessSendRelayed'>)
  | ({ readonly type: 'recordConfirmed' } & Observed & Facts<'GaslessSendConfirmed'>)
  | ({ readonly type: 'recordBounced' } & Observed & Facts<'GaslessSendBounced'>)
  | ({ readonly type: 'recordSkipped' } & Observed & Facts<'GaslessSendSkipped'>)
  /** A fork has taken back what became of it, and nobody knows what does. */
  | ({ readonly type: 'recordOpen' } & Observed)
  | ({ readonly type: 'recordUnsent'; readonly bodyHash: string } & Facts<'GaslessSendUnsent'>)
  | { readonly type: 'recordExpired'; readonly bodyHash: string }
  | ({ readonly type: 'earnCommission'; readonly bodyHash: string } & Value)
  | Remove
);

/** What a commission is worth, see the event. */
type Value = Pick<GaslessCommissionEarned['data'], 'ton' | 'tonPrice' | 'feeAmount'>;

type Move = Exclude<GaslessSendEvent['type'], 'GaslessCommissionEarned' | 'GaslessCommissionRetracted'>;

const STEPS: Readonly<Record<Move, SendStep>> = {
  GaslessSendAccepted: 'accepted',
  GaslessSendRelayed: 'relayed',
  GaslessSendConfirmed: 'confirmed',
  GaslessSendBounced: 'bounced',
  GaslessSendSkipped: 'skipped',
  GaslessSendUnsent: 'accepted',
  GaslessSendExpired: 'expired',
  GaslessSendRemoved: 'expired',
};

/** The chain has said this of it, and may say something else after a fork. */
const OBSERVED: readonly SendStep[] = ['relayed', 'confirmed', 'bounced', 'skipped'];

/** A request that ended like this has left the seqno of its wallet unused, so that another may use it. */
const WITHOUT_EFFECT: readonly SendStep[] = ['bounced', 'expired'];

/** A request of a wallet that a relayer pays for: accepted once, sent on once, and then as the chain says. */
export const gaslessSendKind: StreamKind<GaslessSend | null, GaslessSendCommand, GaslessSendEvent> = {
  events: gaslessSendEvents,
  decider: {
    initial: () => null,
    evolve,
    decide(state, command) {
      if (command.type === 'accept') return accept(state, command);
      if (command.type === 'remove') return remove(state, command);
      // The outcome of an earlier request of the seqno comes too late to matter.
      if (state?.accepted.bodyHash !== command.bodyHash) return [];
      return record(state, command);
    },
  },
};

function evolve(state: GaslessSend | null, { type, data }: GaslessSendEvent): GaslessSend {
  const observations = (state?.observations ?? 0) + 1;
  switch (type) {
    case 'GaslessSendAccepted': {
      const bodies = [...(state?.bodies ?? []), data.bodyHash];
      const hashes = [...(state?.hashes ?? []), ...data.hashes];
      const earnings = state?.earnings ?? 0;
      const nothing = { messageHash: null, relaySeqno: null, transaction: null, earned: null };
      return { accepted: data, step: 'accepted', bodies, hashes, earnings, observations, ...nothing };
    }
    case 'GaslessCommissionEarned':
      return { ...state!, earned: data, earnings: data.occurrence + 1 };
    case 'GaslessCommissionRetracted':
      return { ...state!, earned: null };
    case 'GaslessSendRelayed': {
      const { messageHash, relaySeqno } = data;
      return { ...state!, step: 'relayed', messageHash, relaySeqno, transaction: null, observations };
    }
    case 'GaslessSendUnsent': {
      const nothing = { messageHash: null, relaySeqno: null, transaction: null };
      return { ...state!, step: STEPS[type], ...nothing, observations };
    }
    default: {
      const transaction = 'transaction' in data ? data.transaction : null;
      return { ...state!, step: STEPS[type], transaction, observations };
    }
  }
}

function accept(
  state: GaslessSend | null,
  { request, metadata }: Extract<GaslessSendCommand, { type: 'accept' }>,
): readonly GaslessSendEvent[] | Refusal {
  if (state?.bodies.includes(request.bodyHash)) return [];
  if (state && !WITHOUT_EFFECT.includes(state.step))
    return refuse(
      'gasless_in_flight',
      `Another request of the wallet's seqno ${request.seqno} was accepted.`,
    );
  return [{ type: 'GaslessSendAccepted', data: { ...request, at: metadata.now } }];
}

function record(
  send: GaslessSend,
  command: Exclude<GaslessSendCommand, { type: 'accept' | 'remove' }>,
): readonly GaslessSendEvent[] {
  const { accepted, step, messageHash: sentBy, relaySeqno: sentAs } = send;
  const { network, wallet, seqno, bodyHash } = accepted;
  const about = { network, wallet, seqno, bodyHash, at: command.metadata.now };
  switch (command.type) {
    case 'recordRelayed': {
      const { relaySeqno, messageHash } = command;
      return step === 'accepted'
        ? [{ type: 'GaslessSendRelayed', data: { ...about, relaySeqno, messageHash } }]
        : [];
    }
    // Whatever was seen of it was on a branch that is not the chain.
    case 'recordUnsent': {
      const { messageHash } = command;
      if (sentBy !== messageHash) return [];
      return [{ type: 'GaslessSendUnsent', data: { ...about, messageHash } }, ...retracted(send, about.at)];
    }
    case 'recordOpen': {
      if (!isCurrent(send, command) || step === 'relayed') return [];
      const sent = { relaySeqno: sentAs!, messageHash: command.messageHash };
      return [{ type: 'GaslessSendRelayed', data: { ...about, ...sent } }, ...retracted(send, about.at)];
    }
    case 'recordExpired':
      return step === 'accepted' ? [{ type: 'GaslessSendExpired', data: about }] : [];
    case 'recordConfirmed':
    case 'recordSkipped':
    case 'recordBounced':
      return isNew(send, command) ? [outcome(about, command), ...retracted(send, about.at)] : [];
    case 'earnCommission':
      return earn(send, command);
  }
}

type RecordOutcome = Extract<
  GaslessSendCommand,
  { type: 'recordConfirmed' | 'recordSkipped' | 'recordBounced' }
>;

/** Something else than was recorded, also where a fork has changed it. */
function isNew(send: GaslessSend, command: RecordOutcome): boolean {
  const { step, transaction } = send;
  if (!isCurrent(send, command)) return false;
  if (command.type === 'recordBounced') return step !== 'bounced';
  const isSame = step === (command.type === 'recordConfirmed' ? 'confirmed' : 'skipped');
  return !isSame || transaction?.hash !== command.transaction.hash;
}

/** Nothing was recorded since the chain was read, and it is still what that message has sent on. */
function isCurrent(
  { step, messageHash, observations }: GaslessSend,
  { messageHash: of, after }: Observed,
): boolean {
  return OBSERVED.includes(step) && of === messageHash && after === observations;
}

type About = Pick<Data<'GaslessSendExpired'>, 'network' | 'wallet' | 'seqno' | 'bodyHash' | 'at'>;

function outcome(about: About, command: RecordOutcome): GaslessSendEvent {
  switch (command.type) {
    case 'recordConfirmed':
      return { type: 'GaslessSendConfirmed', data: { ...about, transaction: command.transaction } };
    case 'recordSkipped':
      return { type: 'GaslessSendSkipped', data: { ...about, transaction: command.transaction } };
    case 'recordBounced':
      return { type: 'GaslessSendBounced', data: { ...about, exitCode: command.exitCode } };
  }
}

/** Once, for as long as the transfer is on the chain. */
function earn(
  { accepted, step, transaction, earned, earnings }: GaslessSend,
  { ton, tonPrice, feeAmount, metadata }: Extract<GaslessSendCommand, { type: 'earnCommission' }>,
): readonly GaslessSendEvent[] {
  if (step !== 'confirmed' || !transaction || earned) return [];
  const { network, wallet, seqno, bodyHash, relay, master, commission } = accepted;
  const about = { network, wallet, seqno, bodyHash, at: metadata.now, transaction, occurrence: earnings };
  const value = { relay, master, commission, ton, tonPrice, feeAmount };
  return [{ type: 'GaslessCommissionEarned', data: { ...about, ...value } }];
}

function retracted({ earned }: GaslessSend, at: string): readonly GaslessSendEvent[] {
  return earned ? [{ type: 'GaslessCommissionRetracted', data: { ...earned, at, earnedAt: earned.at } }] : [];
}

/** What is still on its way stays. */
function remove(state: GaslessSend | null, { metadata }: Remove): readonly GaslessSendEvent[] {
  if (!state || isInFlight(state)) return [];
  const { network, wallet, seqno, bodyHash } = state.accepted;
  const data = { network, wallet, seqno, bodyHash, at: metadata.now, hashes: [...state.hashes] };
  return [{ type: 'GaslessSendRemoved', data }];
}

/** While it is not known whether the seqno of its wallet is used up by it. */
export function isInFlight(send: GaslessSend | null): boolean {
  return send?.step === 'accepted' || send?.step === 'relayed';
}
