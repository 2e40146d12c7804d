import type { JsonObject } from '../../../contracts/json/json';
import type { Samples } from '../sample';

const BY_ANN = { at: '2026-12-01T09:00:00.000Z', by: 'ann' };
export const BY_BOB = { at: '2026-12-02T09:00:00.000Z', by: 'bob' };
const OF = { settlementId: 's-1', billingPeriod: '2026-11', merchantId: 'm-1' };
export const ENCRYPTED = { subject: 'bob', ciphertext: 'v1.AAAAAAAAAAAAAAAA.c2VhbGVk' };
export const SETTLEMENT = {
  RebateAccrued: {
    rebateId: 'r-1',
    billingPeriod: '2026-11',
    merchantId: 'm-1',
    merchantName: 'Espresso & Co',
    currency: 'USD',
    basisFee: '20.00',
    rate: '0.10',
    amount: '2.00',
    ruleId: 'rule-1',
    ruleVersion: 1,
    ...BY_ANN,
  },
  SettlementGenerated: {
    ...OF,
    merchantName: 'Espresso & Co',
    currency: 'USD',
    grossCollected: '100.00',
    feesCollected: '20.00',
    feeCount: 3,
    rebateApplied: '2.00',
    carriedIn: '-5.00',
    netAmount: '77.00',
    ledgerPosition: 7,
    lines: [{ billingPeriod: '2026-11', feeCount: 3, grossCollected: '100.00', feesCollected: '20.00' }],
    carriedFrom: ['s-0'],
    rule: { ruleId: 'rule-1', ruleVersion: 1 },
    ...BY_ANN,
  },
  RebateApplied: { rebateId: 'r-1', settlementId: 's-1', ...BY_ANN },
  SettlementCarried: { ...OF, ...BY_ANN },
  SettlementPaid: {
    ...OF,
    paidAt: '2026-12-01T12:00:00.000Z',
    reference: ENCRYPTED,
    rebateIds: ['r-1'],
    ...BY_BOB,
  },
  SettlementVoided: { ...OF, reason: ENCRYPTED, rebateIds: ['r-1'], ...BY_BOB },
  RebateVoided: { rebateId: 'r-1', ...BY_BOB },
} satisfies Record<string, JsonObject>;

const RULE_SET = {
  ruleId: 'rule-1',
  version: 1,
  tiers: [{ from: '1000.00', rate: '0.05' }],
  ...BY_ANN,
} satisfies JsonObject;

export const SETTLEMENT_SAMPLES: Samples = {
  SettlementGenerated: [
    { v: 1, data: SETTLEMENT.SettlementGenerated },
    { v: 1, data: { ...SETTLEMENT.SettlementGenerated, carriedFrom: [], rule: null } },
  ],
  SettlementCarried: [{ v: 1, data: SETTLEMENT.SettlementCarried }],
  SettlementPaid: [
    { v: 1, data: SETTLEMENT.SettlementPaid },
    { v: 1, data: { ...SETTLEMENT.SettlementPaid, reference: null, rebateIds: [] } },
  ],
  SettlementVoided: [
    { v: 1, data: SETTLEMENT.SettlementVoided },
    { v: 1, data: { ...SETTLEMENT.SettlementVoided, reason: null, rebateIds: [] } },
  ],
  RebateAccrued: [{ v: 1, data: SETTLEMENT.RebateAccrued }],
  RebateApplied: [{ v: 1, data: SETTLEMENT.RebateApplied }],
  RebateVoided: [{ v: 1, data: SETTLEMENT.RebateVoided }],
  RebateRuleSet: [{ v: 1, data: RULE_SET }],
};
