import {
  SETTLEMENT_CATEGORY,
  settlementEvents,
  type SettlementEvent,
} from '../../contracts/events/settlement';
import type { Rebate } from '../../contracts/http/billing/settlements';
import type { Document } from '../../contracts/ports/documents';
import type { EventProjection } from '../projection';
import type { Views } from '../views';
import { byMerchantAndPeriod, type Positioned } from './by-merchant-and-period';
import { listByPeriod, type Paging } from './list-by-period';

type Status = Rebate['status'];
const STATUSES: readonly Status[] = ['accrued', 'applied', 'paid', 'void'];

export type RebateDocument = Document & Omit<Rebate, 'rebateId'>;

export const REBATES = byMerchantAndPeriod('rebates');

export const rebatesProjection: EventProjection = {
  name: 'rebates',
  version: 2,
  categories: [SETTLEMENT_CATEGORY],
  collections: [REBATES],

  touches: recorded =>
    rebatesOf(settlementEvents.read(recorded)).map(id => ({ collection: REBATES.name, id })),

  fold(document, recorded) {
    const before = document as Positioned<RebateDocument> | null;
    const after = foldRebate(before, settlementEvents.read(recorded));
    return after && { ...after, position: before?.position ?? recorded.position };
  },
};

/** The rebates that an event changes. */
function rebatesOf({ type, data }: SettlementEvent): readonly string[] {
  switch (type) {
    case 'RebateAccrued':
    case 'RebateApplied':
    case 'RebateVoided':
      return [data.rebateId];
    case 'SettlementPaid':
    case 'SettlementVoided':
      return data.rebateIds;
    default:
      return [];
  }
}

function foldRebate(rebate: RebateDocument | null, event: SettlementEvent): RebateDocument | null {
  if (event.type === 'RebateAccrued') {
    const { rebateId, at, by: _, ...content } = event.data;
    return { _id: rebateId, ...content, status: 'accrued', settlementId: null, createdAt: at };
  }
  if (!rebate) return null;
  switch (event.type) {
    case 'RebateApplied':
      return { ...rebate, status: 'applied', settlementId: event.data.settlementId };
    case 'RebateVoided':
      return { ...rebate, status: 'void' };
    case 'SettlementPaid':
      return { ...rebate, status: 'paid' };
    case 'SettlementVoided':
      return { ...rebate, status: 'accrued', settlementId: null };
    default:
      return rebate;
  }
}

export interface RebateFilter {
  readonly status?: Status | undefined;
  readonly billingPeriod?: string | undefined;
  readonly merchantId?: string | undefined;
}

/** Newest period first, then the newest. */
export function listRebates(
  views: Views,
  { status, billingPeriod, merchantId }: RebateFilter,
  paging: Paging,
) {
  return listByPeriod<Positioned<RebateDocument>>(
    views,
    REBATES,
    STATUSES,
    { status, billingPeriod, merchantId },
    paging,
    [['position', 'desc']],
  );
}
