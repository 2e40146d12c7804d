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
};

export interface FoundGaslessSend {
  readonly outcome: GaslessOutcome;
  readonly transaction: { readonly lt: string; readonly hash: string } | null;
}

const HASHES: CollectionSpec = { name: 'gasless_hashes', indexes: [] };

const idOf = (network: TonNetwork, hash: string): string => `${network}/${hash}`;

/** Of requests that our relayer has taken on, and of those that were handed over to that of somebody else. */
const read = (recorded: RecordedEvent) =>
  recorded.stream.startsWith(`${GASLESS_HANDOVER_CATEGORY}-`)
    ? gaslessHandoverEvents.read(recorded)
    : gaslessSendEvents.read(recorded);

export const gaslessSendsProjection: EventProjection = {
  name: 'gasless-sends',
  version: 2,
  categories: [GASLESS_SEND_CATEGORY, GASLESS_HANDOVER_CATEGORY],
  collections: [HASHES],
  touches(recorded) {
    const { type, data } = read(recorded);
    if (type === 'GaslessCommissionEarned' || type === 'GaslessCommissionRetracted') return [];
    const hashes = 'hashes' in data ? new Set([...data.hashes, data.bodyHash]) : [data.bodyHash];
    return [...hashes].map(hash => ({ collection: HASHES.name, id: idOf(data.network, hash) }));
  },
  fold(_document, recorded, { id }) {
    const { type, data } = read(recorded);
    if (type === 'GaslessSendRemoved' || type === 'GaslessHandoverRemoved') return null;
    const { bodyHash } = data;
    const known = { _id: id, bodyHash, outcome: null, transaction: null };
    if (id !== idOf(data.network, bodyHash)) return known satisfies GaslessHashDocument;
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
        return { ...known, outcome: data.outcome, transaction: data.transaction && { ...data.transaction } };
      default:
        return { ...known, outcome: 'open' };
    }
  },
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
