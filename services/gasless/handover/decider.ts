import { refuse, type CommandMetadata, type Refusal } from '../../../contracts/decider';
import {
  gaslessHandoverEvents,
  type GaslessHandedOver,
  type GaslessHandoverEnded,
  type GaslessHandoverEvent,
} from '../../../contracts/events/gasless-handover';
import type { StreamKind } from '../../handle';
import type { Remove } from '../../retention/retention';

type HandedOver = GaslessHandedOver['data'];
type Ended = GaslessHandoverEnded['data'];

export interface GaslessHandover {
  /** The newest; earlier ones of the seqno have ended without an effect. */
  readonly request: HandedOver;
  /** `open`: nobody knows whether the other relayer has it. */
  readonly step: 'open' | 'taken' | 'refused' | Ended['outcome'];
  /** Of all requests. */
  readonly hashes: readonly string[];
}

export type GaslessHandoverCommand = { readonly metadata: CommandMetadata } & (
  | { readonly type: 'handOver'; readonly request: Omit<HandedOver, 'at'> }
  | { readonly type: 'recordTaken' | 'recordRefused'; readonly bodyHash: string }
  | ({ readonly type: 'recordOutcome'; readonly bodyHash: string } & Pick<Ended, 'outcome' | 'transaction'>)
  | Remove
);

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
  switch (type) {
    case 'GaslessHandedOver':
      return { request: data, step: 'open', hashes: [...(state?.hashes ?? []), ...data.hashes] };
    case 'GaslessHandoverTaken':
      return { ...state!, step: 'taken' };
    case 'GaslessHandoverRefused':
      return { ...state!, step: 'refused' };
    case 'GaslessHandoverEnded':
      return { ...state!, step: data.outcome };
    case 'GaslessHandoverRemoved':
      return { ...state!, step: 'expired' };
  }
}

function handOver(
  state: GaslessHandover | null,
  { request, metadata }: Extract<GaslessHandoverCommand, { type: 'handOver' }>,
): readonly GaslessHandoverEvent[] | Refusal {
  if (state && !WITHOUT_EFFECT.includes(state.step))
    return state.request.bodyHash === request.bodyHash
      ? []
      : refuse(
          'gasless_in_flight',
          `Another request of the wallet's seqno ${request.seqno} was handed over.`,
        );
  return [{ type: 'GaslessHandedOver', data: { ...request, at: metadata.now } }];
}

function record(
  handover: GaslessHandover,
  command: Exclude<GaslessHandoverCommand, Remove | { type: 'handOver' }>,
): readonly GaslessHandoverEvent[] {
  const { request, step } = handover;
  const { network, wallet, seqno, bodyHash } = request;
  const about = { network, wallet, seqno, bodyHash, at: command.metadata.now };
  switch (command.type) {
    case 'recordTaken':
      return step === 'open' || step === 'refused' ? [{ type: 'GaslessHandoverTaken', data: about }] : [];
    case 'recordRefused':
      return step === 'open' ? [{ type: 'GaslessHandoverRefused', data: about }] : [];
    case 'recordOutcome': {
      const { outcome, transaction } = command;
      // What was refused may have been sent all the same.
      if (hasEnded(handover) || (step === 'refused' && outcome === 'expired')) return [];
      return [{ type: 'GaslessHandoverEnded', data: { ...about, outcome, transaction } }];
    }
  }
}

/** What may still be on its way stays. */
function remove(state: GaslessHandover, { metadata }: Remove): readonly GaslessHandoverEvent[] {
  if (state.step === 'open' || state.step === 'taken') return [];
  const { network, wallet, seqno, bodyHash } = state.request;
  const data = { network, wallet, seqno, bodyHash, at: metadata.now, hashes: [...state.hashes] };
  return [{ type: 'GaslessHandoverRemoved', data }];
}

/** The chain has decided: nothing that the other relayer says matters any more. */
export function hasEnded({ step }: GaslessHandover): boolean {
  return step === 'confirmed' || step === 'skipped' || step === 'expired';
}
