import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import {
  gaslessHandoverEvents,
  type GaslessHandedOver,
  type GaslessHandoverEnded,
  type GaslessHandoverEvent,
} from '../../../contracts/events/gasless-handover';
import type { StreamKind } from '../../commands/stream-kind';
import type { Remove } from '../../retention/retention';

type HandedOver = GaslessHandedOver['data'];
type Ended = GaslessHandoverEnded['data'];

export interface GaslessHandover {
  /** The newest; earlier ones of the seqno have ended without an effect. */
  readonly request: HandedOver;
  /** `open`: somebody posts it; `unanswered`: nobody does, and nobody knows whether the other relayer has it. */
  readonly step: 'open' | 'unanswered' | 'taken' | 'refused' | Ended['outcome'];
  /** Since when it is posted for the last time. */
  readonly postedAt: string;
  /** Of all requests. */
  readonly hashes: readonly string[];
  /** The transaction of the wallet that has carried it out. */
  readonly transaction: Ended['transaction'];
  /** How often something was recorded of it: who has read the chain before the last time may have seen a branch that is gone. */
  readonly observations: number;
}

export type GaslessHandoverCommand = { readonly metadata: CommandMetadata } & (
  | { readonly type: 'handOver'; readonly request: Omit<HandedOver, 'at'> }
  | { readonly type: 'recordTaken' | 'recordRefused' | 'recordUnanswered'; readonly bodyHash: string }
  /** As the chain said after so many observations. */
  | ({ readonly type: 'recordOutcome'; readonly bodyHash: string; readonly after: number } & Pick<
      Ended,
      'outcome' | 'transaction'
    >)
  /** A fork has taken back what became of it, and nobody knows what does. */
  | { readonly type: 'recordOpen'; readonly bodyHash: string; readonly after: number }
  | Remove
);

/** Longer than a post takes: who has not recorded its end by then has crashed. */
const MAX_POST_MS = 30_000;

/** A request that ended like this has left the seqno of its wallet unused, so that another may use it. */
const WITHOUT_EFFECT: readonly GaslessHandover['step'][] = ['refused', 'expired'];

/** A request of a wallet that another relayer pays for: while it may have it, nothing else of the same seqno is handed over. */
export const gaslessHandoverKind: StreamKind<
  GaslessHandover | null,
  GaslessHandoverCommand,
  GaslessHandoverEvent
> = {
  events: gaslessHandoverEvents,
  decider: {
    initial: () => null,
    evolve,
    decide(state, command) {
      if (command.type === 'handOver') return handOver(state, command);
      if (!state) return [];
      if (command.type === 'remove') return remove(state, command);
      return state.request.bodyHash === command.bodyHash ? record(state, command) : [];
    },
  },
};

function evolve(state: GaslessHandover | null, { type, data }: GaslessHandoverEvent): GaslessHandover {
  const observations = (state?.observations ?? 0) + 1;
  switch (type) {
    case 'GaslessHandedOver': {
      const hashes = [...(state?.hashes ?? []), ...data.hashes];
      return { request: data, step: 'open', postedAt: data.at, hashes, transaction: null, observations };
    }
    case 'GaslessHandoverRepeated':
      return { ...state!, step: 'open', postedAt: data.at, observations };
    case 'GaslessHandoverUnanswered':
      return { ...state!, step: 'unanswered', observations };
    case 'GaslessHandoverTaken':
      return { ...state!, step: 'taken', transaction: null, observations };
    case 'GaslessHandoverRefused':
      return { ...state!, step: 'refused', observations };
    case 'GaslessHandoverEnded':
      return { ...state!, step: data.outcome, transaction: data.transaction, observations };
    case 'GaslessHandoverRemoved':
      return { ...state!, step: 'expired', observations };
  }
}

function handOver(
  state: GaslessHandover | null,
  { request, metadata }: Extract<GaslessHandoverCommand, { type: 'handOver' }>,
): readonly GaslessHandoverEvent[] | Refusal {
  if (!state || WITHOUT_EFFECT.includes(state.step))
    return [{ type: 'GaslessHandedOver', data: { ...request, at: metadata.now } }];
  if (state.request.bodyHash !== request.bodyHash)
    return refuse(
      'gasless_in_flight',
      `Another request of the wallet's seqno ${request.seqno} was handed over.`,
    );
  return mayBeRepeated(state, metadata.now)
    ? [{ type: 'GaslessHandoverRepeated', data: { ...aboutOf(state), at: metadata.now } }]
    : [];
}

/** One at a time posts it: the first that has recorded it. */
function mayBeRepeated({ step, postedAt }: GaslessHandover, now: string): boolean {
  return step === 'unanswered' || (step === 'open' && Date.parse(now) - Date.parse(postedAt) >= MAX_POST_MS);
}

function aboutOf({ request: { network, wallet, seqno, bodyHash } }: GaslessHandover) {
  return { network, wallet, seqno, bodyHash };
}

function record(
  handover: GaslessHandover,
  command: Exclude<GaslessHandoverCommand, Remove | { type: 'handOver' }>,
): readonly GaslessHandoverEvent[] {
  const { step } = handover;
  const about = { ...aboutOf(handover), at: command.metadata.now };
  switch (command.type) {
    case 'recordTaken':
      return ['open', 'unanswered', 'refused'].includes(step)
        ? [{ type: 'GaslessHandoverTaken', data: about }]
        : [];
    case 'recordOpen':
      return hasEnded(handover) && command.after === handover.observations
        ? [{ type: 'GaslessHandoverTaken', data: about }]
        : [];
    case 'recordUnanswered':
      return step === 'open' ? [{ type: 'GaslessHandoverUnanswered', data: about }] : [];
    case 'recordRefused':
      return step === 'open' ? [{ type: 'GaslessHandoverRefused', data: about }] : [];
    case 'recordOutcome': {
      const { outcome, transaction } = command;
      if (!isNew(handover, command)) return [];
      return [{ type: 'GaslessHandoverEnded', data: { ...about, outcome, transaction } }];
    }
  }
}

/** Something else than was recorded, also where a fork has changed it. */
function isNew(
  { step, transaction: known, observations }: GaslessHandover,
  { outcome, transaction, after }: Extract<GaslessHandoverCommand, { type: 'recordOutcome' }>,
): boolean {
  if (after !== observations) return false;
  // What was refused may have been sent all the same.
  if (step === 'refused' && outcome === 'expired') return false;
  return step !== outcome || known?.hash !== transaction?.hash;
}

/** What may still be on its way stays. */
function remove(state: GaslessHandover, { metadata }: Remove): readonly GaslessHandoverEvent[] {
  if (isInFlight(state)) return [];
  const data = { ...aboutOf(state), at: metadata.now, hashes: [...state.hashes] };
  return [{ type: 'GaslessHandoverRemoved', data }];
}

/** The other relayer may have it, and the chain has not decided. */
export function isInFlight({ step }: Pick<GaslessHandover, 'step'>): boolean {
  return step === 'open' || step === 'unanswered' || step === 'taken';
}

/** The chain has decided: nothing that the other relayer says matters any more. */
export function hasEnded({ step }: Pick<GaslessHandover, 'step'>): boolean {
  return step === 'confirmed' || step === 'skipped' || step === 'expired';
}
