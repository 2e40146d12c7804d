import type { JsonObject } from '../../contracts/json/json';
import type { RecordedEvent } from '../../contracts/ports/event-store';
import { rebatesProjection } from '../../projections/billing/rebates';
import { settlementsProjection } from '../../projections/billing/settlements';
import { given } from '../contracts/projection';
import { BY_BOB, ENCRYPTED, SETTLEMENT } from '../events/samples/settlement';

const recorded = (type: string, data: JsonObject, revision: number): RecordedEvent => ({
  id: `e-${revision}`,
  type,
  data,
  metadata: { v: 1 },
  stream: 'settlement-local-m-1',
  revision,
  position: 10 + revision,
  created: '2026-12-01T09:00:00.000Z',
});
const history = (...types: (keyof typeof SETTLEMENT)[]): RecordedEvent[] =>
  types.map((type, index) => recorded(type, SETTLEMENT[type], index));

const GENERATED = ['RebateAccrued', 'SettlementGenerated', 'RebateApplied'] as const;

describe('settlements', () => {
  const { settlementId, rule: _, at, by, ...content } = SETTLEMENT.SettlementGenerated;
  const pending = {
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
    position: 11,
  };

  it('are initially pending', () =>
    given(settlementsProjection, history(...GENERATED)).then({ settlements: [pending] }));

  it('are carried', () =>
    given(settlementsProjection, history(...GENERATED, 'SettlementCarried')).then({
      settlements: [{ ...pending, status: 'carried', version: 2 }],
    }));

  it('are paid', () =>
    given(settlementsProjection, history(...GENERATED, 'SettlementPaid')).then({
      settlements: [
        {
          ...pending,
          status: 'paid',
          paidAt: '2026-12-01T12:00:00.000Z',
          paidBy: 'bob',
          reference: ENCRYPTED,
          version: 2,
        },
      ],
    }));

  it('are void', () =>
    given(
      settlementsProjection,
      history(...GENERATED, 'SettlementCarried', 'SettlementVoided', 'RebateVoided'),
    ).then({
      settlements: [
        {
          ...pending,
          status: 'void',
          voidedAt: BY_BOB.at,
          voidedBy: 'bob',
          voidReason: ENCRYPTED,
          version: 3,
        },
      ],
    }));
});

describe('rebates', () => {
  const { rebateId, at: createdAt, by: _, ...content } = SETTLEMENT.RebateAccrued;
  const accrued = {
    _id: rebateId,
    ...content,
    status: 'accrued',
    settlementId: null,
    createdAt,
    position: 10,
  };
  const applied = { ...accrued, status: 'applied', settlementId: 's-1' };
  const paid = { ...applied, status: 'paid' };

  it.each<[string, (keyof typeof SETTLEMENT)[], JsonObject & { _id: string }]>([
    ['accrued', ['RebateAccrued'], accrued],
    ['applied', [...GENERATED], applied],
    ['applied in the carried settlement', [...GENERATED, 'SettlementCarried'], applied],
    ['paid', [...GENERATED, 'SettlementPaid'], paid],
    [
      'paid with the settlement that includes the carried one',
      [...GENERATED, 'SettlementCarried', 'SettlementPaid'],
      paid,
    ],
    ['accrued again', [...GENERATED, 'SettlementVoided'], accrued],
    ['void', [...GENERATED, 'SettlementVoided', 'RebateVoided'], { ...accrued, status: 'void' }],
  ])('are %s', (_status, events, rebate) =>
    given(rebatesProjection, history(...events)).then({ rebates: [rebate] }),
  );
});
