import {
  SETTLEMENT_CATEGORY,
  settlementEvents,
  type SettlementEvent,
  type SettlementGenerated,
} from '../../contracts/events/settlement';
import type { Settlement } from '../../contracts/http/billing/settlements';
import type { EncryptedText } from '../../contracts/text/personal-text';
import type { Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import { byMerchantAndPeriod, type Positioned } from './by-merchant-and-period';
import { listByPeriod, type Paging } from './list-by-period';

type Status = Settlement['status'];
const STATUSES: readonly Status[] = ['pending', 'paid', 'carried', 'void'];

/** Personal text stays encrypted. */
export type SettlementDocument = Document &
  Omit<Settlement, 'settlementId' | 'reference' | 'referenceErased' | 'voidReason' | 'voidReasonErased'> & {
    readonly reference: EncryptedText | null;
    readonly voidReason: EncryptedText | null;
  };

export const SETTLEMENTS = byMerchantAndPeriod('settlements');

export const settlementsProjection: EventProjection = {
  name: 'settlements',
  version: 2,
  categories: [SETTLEMENT_CATEGORY],
  collections: [SETTLEMENTS],

  touches(recorded) {
    const id = settlementOf(settlementEvents.read(recorded));
    return id === null ? [] : [{ collection: SETTLEMENTS.name, id }];
  },

  fold(document, recorded) {
    const before = document as Positioned<SettlementDocument> | null;
    const after = foldSettlement(before, settlementEvents.read(recorded));
    return after && { ...after, position: before?.position ?? recorded.position };
  },
};

/** The settlement that an event is of; null for one of a rebate. */
export function settlementOf(event: SettlementEvent): string | null {
  switch (event.type) {
    case 'RebateAccrued':
    case 'RebateApplied':
    case 'RebateVoided':
      return null;
    default:
      return event.data.settlementId;
  }
}

/** Null for an event of a settlement that was not generated. */
export function foldSettlement(
  settlement: SettlementDocument | null,
  event: SettlementEvent,
): SettlementDocument | null {
  if (event.type === 'SettlementGenerated') return generated(event.data);
  if (!settlement) return null;
  const version = settlement.version + 1;
  switch (event.type) {
    case 'SettlementCarried':
      return { ...settlement, status: 'carried', version };
    case 'SettlementPaid': {
      const { paidAt, by: paidBy, reference } = event.data;
      return { ...settlement, status: 'paid', paidAt, paidBy, reference, version };
    }
    case 'SettlementVoided': {
      const { at: voidedAt, by: voidedBy, reason: voidReason } = event.data;
      return { ...settlement, status: 'void', voidedAt, voidedBy, voidReason, version };
    }
    default:
      return settlement;
  }
}

function generated({ settlementId, rule: _, at, by, ...content }: SettlementGenerated): SettlementDocument {
  return {
    _id: settlementId,
    ...content,
    status: 'pending',
    createdAt: at,
    createdBy: by,
    paidAt: null,
    paidBy: null,
    reference: null,
    voidedAt: null,
    voidedBy: null,
    voidReason: null,
    version: 1,
  };
}

export interface SettlementFilter {
  readonly status?: Status | undefined;
  readonly billingPeriod?: string | undefined;
  readonly merchantId?: string | undefined;
}

/** Newest period first, then the newest. */
export function listSettlements(
  views: Views,
  { status, billingPeriod, merchantId }: SettlementFilter,
  paging: Paging,
) {
  return listByPeriod<Positioned<SettlementDocument>>(
    views,
    SETTLEMENTS,
    STATUSES,
    { status, billingPeriod, merchantId },
    paging,
    [['position', 'desc']],
  );
}

/** A settlement with the position of its first event; null when there is none. */
export function getSettlement(
  views: Views,
  settlementId: string,
): Promise<Positioned<SettlementDocument> | null> {
  return views.get<Positioned<SettlementDocument>>(SETTLEMENTS.name, settlementId);
}
