import { GASLESS_HANDOVER_CATEGORY, gaslessHandoverEvents } from '../../contracts/events/gasless-handover';
import { GASLESS_SEND_CATEGORY, gaslessSendEvents } from '../../contracts/events/gasless-send';
import type { TonNetwork } from '../../contracts/network/network';
import type { CollectionSpec, Document } from '../../contracts/ports/documents';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import type { EventProjection } from '../projection';
import type { Views } from '../views';

/** What is known of a request that a relayer has taken on. */
export type GaslessOutcome = 'open' | 'confirmed' | 'skipped' | 'bounced' | 'expired';

/** A hash by which a request may be asked for. That of its body has what became of it. */
type GaslessHashDocument = Document & {
  /** Hex. */
  readonly bodyHash: string;
  readonly outcome: GaslessOutcome | null;
  /** Of the wallet that has carried it out: base64. */
  readonly transaction: { readonly lt: string; readonly hash: string } | null;
  /** Of a request that was handed over and has ended by a transaction of its wallet; else null. */
  readonly handover: { readonly endedBy: string; readonly seqno: number } | null;
  /** Of a request that was handed over: where it is, and since when it was; else null. */
  readonly handoverStep: HandoverStep | null;
  readonly handedOverAt: string | null;
};

/** `open`: it is being posted; `unanswered`: nobody knows whether the other relayer has it. */
export const HANDOVER_STEPS = [
  'open',
  'unanswered',
  'taken',
  'refused',
  'confirmed',
  'skipped',
  'expired',
] as const;
export type HandoverStep = (typeof HANDOVER_STEPS)[number];
/** The chain has not decided what becomes of it. */
const IN_FLIGHT: readonly HandoverStep[] = ['open', 'unanswered', 'taken'];

export interface FoundGaslessSend {
  readonly outcome: GaslessOutcome;
  readonly transaction: { readonly lt: string; readonly hash: string } | null;
}

const HASHES: CollectionSpec = {
  name: 'gasless_hashes',
  indexes: [
    { fields: [['handover.endedBy', 'asc']] },
    {
      fields: [
        ['handoverStep', 'asc'],
        ['handedOverAt', 'asc'],
      ],
    },
  ],
  counts: [['handoverStep']],
};

const idOf = (network: TonNetwork, hash: string): string => `${network}/${hash}`;

const endedBy = (network: TonNetwork, wallet: string, hash: string): string => `${network}/${wallet}/${hash}`;

/** Of requests that our relayer has taken on, and of those that were handed over to that of somebody else. */
const read = (recorded: RecordedEvent) =>
  recorded.stream.startsWith(`${GASLESS_HANDOVER_CATEGORY}-`)
    ? gaslessHandoverEvents.read(recorded)
    : gaslessSendEvents.read(recorded);

export const gaslessSendsProjection: EventProjection = {
  name: 'gasless-sends',
  version: 4,
  categories: [GASLESS_SEND_CATEGORY, GASLESS_HANDOVER_CATEGORY],
  collections: [HASHES],
  touches(recorded) {
    const { type, data } = read(recorded);
    if (type === 'GaslessCommissionEarned' || type === 'GaslessCommissionRetracted') return [];
    const hashes = 'hashes' in data ? new Set([...data.hashes, data.bodyHash]) : [data.bodyHash];
    return [...hashes].map(hash => ({ collection: HASHES.name, id: idOf(data.network, hash) }));
  },
  fold(document, recorded, { id }) {
    const { type, data } = read(recorded);
    if (type === 'GaslessSendRemoved' || type === 'GaslessHandoverRemoved') return null;
    const { bodyHash, network, wallet, seqno } = data;
    const nothing = { outcome: null, transaction: null, handover: null };
    const alias = { _id: id, bodyHash, ...nothing, handoverStep: null, handedOverAt: null };
    if (id !== idOf(data.network, bodyHash)) return alias satisfies GaslessHashDocument;
    const known = { ...alias, ...handoverOf(document as GaslessHashDocument | null, type, data) };
    switch (type) {
      case 'GaslessSendConfirmed':
        return { ...known, outcome: 'confirmed', transaction: { ...data.transaction } };
      case 'GaslessSendSkipped':
        return { ...known, outcome: 'skipped', transaction: { ...data.transaction } };
      case 'GaslessSendBounced':
        return { ...known, outcome: 'bounced' };
      case 'GaslessSendExpired':
      case 'GaslessHandoverRefused':
        return { ...known, outcome: 'expired' };
      case 'GaslessHandoverEnded':
        return {
          ...known,
          outcome: data.outcome,
          transaction: data.transaction && { ...data.transaction },
          handover: data.transaction && {
            endedBy: endedBy(network, wallet, data.transaction.hash),
            seqno,
          },
        };
      default:
        return { ...known, outcome: 'open' };
    }
  },
};

function handoverOf(
  before: GaslessHashDocument | null,
  type: string,
  data: { readonly at: string } | { readonly at: string; readonly outcome: HandoverStep },
): Pick<GaslessHashDocument, 'handoverStep' | 'handedOverAt'> {
  const step = 'outcome' in data ? data.outcome : (STEPS[type] ?? null);
  const isFirst = type === 'GaslessHandedOver';
  const at = isFirst ? data.at : (before?.handedOverAt ?? null);
  return { handoverStep: step, handedOverAt: step && at };
}

const STEPS: Readonly<Record<string, HandoverStep>> = {
  GaslessHandedOver: 'open',
  GaslessHandoverRepeated: 'open',
  GaslessHandoverUnanswered: 'unanswered',
  GaslessHandoverTaken: 'taken',
  GaslessHandoverRefused: 'refused',
};

/** Finds the request that a hash (64 hexadecimal digits, lower case) is of; null when it is of none. */
export function gaslessSendByHash(views: Pick<Views, 'get'>) {
  return async (network: TonNetwork, hash: string): Promise<FoundGaslessSend | null> => {
    const found = await views.get<GaslessHashDocument>(HASHES.name, idOf(network, hash));
    if (!found) return null;
    const { outcome, transaction } =
      found.outcome === null
        ? ((await views.get<GaslessHashDocument>(HASHES.name, idOf(network, found.bodyHash))) ?? found)
        : found;
    return { outcome: outcome ?? 'open', transaction };
  };
}

/** The requests of a wallet (raw) that were handed over and have ended by one of its transactions (base64). */
export type HandoversOf = (
  network: TonNetwork,
  wallet: string,
  hashes: readonly string[],
) => Promise<readonly { readonly seqno: number; readonly bodyHash: string }[]>;

export function gaslessHandoversOf(views: Pick<Views, 'find'>): HandoversOf {
  return async (network, wallet, hashes) => {
    const of = hashes.map(hash => endedBy(network, wallet, hash));
    const { documents } = await views.find<GaslessHashDocument>(HASHES.name, {
      filter: { 'handover.endedBy': { in: of } },
      limit: of.length,
    });
    return documents.flatMap(({ bodyHash, handover }) =>
      handover ? [{ seqno: handover.seqno, bodyHash }] : [],
    );
  };
}

/** Requests that were handed over and are stored. */
export interface HandoverCounts {
  readonly steps: Readonly<Record<HandoverStep, number>>;
  readonly inFlight: number;
  /** Since when the oldest of those in flight is; null where there is none. */
  readonly oldest: string | null;
}

export async function gaslessHandoverCounts(views: Pick<Views, 'count' | 'find'>): Promise<HandoverCounts> {
  const counts = await Promise.all(
    HANDOVER_STEPS.map(async step => [step, await views.count(HASHES.name, { handoverStep: step })] as const),
  );
  const oldest = await Promise.all(
    IN_FLIGHT.map(async step => {
      const { documents } = await views.find<GaslessHashDocument>(HASHES.name, {
        filter: { handoverStep: step },
        order: [['handedOverAt', 'asc']],
        limit: 1,
      });
      return documents.map(({ handedOverAt }) => handedOverAt!);
    }),
  );
  const steps = Object.fromEntries(counts) as HandoverCounts['steps'];
  return {
    steps,
    inFlight: IN_FLIGHT.reduce((sum, step) => sum + steps[step], 0),
    oldest: oldest.flat().sort()[0] ?? null,
  };
}
