import type { JsonObject } from '../../contracts/json/json';
import {
  edited,
  eventAt,
  expectInconsistent,
  followedBy,
  indexAt,
  lines,
  NEXT,
  withMembers,
  type Edit,
  type Mutation,
} from './signed-again';

/*
 * Ledgers that their writer has signed, and whose settlements or rebates break a rule of PROOFS.md, section 6: what
 * tidemark-verify and the second verifier say of them.
 */
const [ACCRUED, GENERATED, APPLIED, PAID] = [13, 14, 15, 16];
/** The last events of the stream of the merchant: a settlement that is pending, and its rebate. */
const [NEXT_ACCRUED, PENDING, NEXT_APPLIED] = [40, 41, 42];
const OTHER_ACCRUED = 37;
const OTHER_PENDING = 38;
const { stream: STREAM, revision: LAST } = eventAt(NEXT_APPLIED);

const BY = { at: '2026-11-30T00:00:00.000Z', by: 'admin@test' };
const idOf = (position: number): string => eventAt(position).data['settlementId'] as string;
const rebateOf = (position: number): string => eventAt(position).data['rebateId'] as string;
const settlementOf = (position: number): JsonObject => {
  const { settlementId, billingPeriod, merchantId } = eventAt(position).data;
  return { settlementId: settlementId!, billingPeriod: billingPeriod!, merchantId: merchantId! };
};

const carried = (position: number): Change => ({
  type: 'SettlementCarried',
  data: { ...settlementOf(position), ...BY },
});
const paid = (position: number, rebateIds: readonly string[]): Change => ({
  type: 'SettlementPaid',
  data: { ...settlementOf(position), ...BY, paidAt: BY.at, reference: null, rebateIds: [...rebateIds] },
});
const voided = (position: number, rebateIds: readonly string[]): Change => ({
  type: 'SettlementVoided',
  data: { ...settlementOf(position), ...BY, reason: null, rebateIds: [...rebateIds] },
});
const accrued = (position: number, data: JsonObject = {}): Change => ({
  type: 'RebateAccrued',
  data: { ...eventAt(position).data, ...data },
});
const applied = (rebateId: string, settlementId: string): Change => ({
  type: 'RebateApplied',
  data: { ...BY, rebateId, settlementId },
});
const rebateVoided = (rebateId: string): Change => ({ type: 'RebateVoided', data: { ...BY, rebateId } });
const generated = (position: number, data: JsonObject = {}): Change => ({
  type: 'SettlementGenerated',
  data: { ...eventAt(position).data, ...data },
});

type Change = Pick<Required<Edit>, 'type' | 'data'>;

/** The example, and further events of the merchant. */
const then = (...changes: readonly Change[]): string[] =>
  followedBy(...changes.map((change, n) => ({ ...change, stream: STREAM, revision: LAST + 1 + n })));

const OWN = rebateOf(NEXT_ACCRUED);
const NEW = { rebateId: 'r-new' };

const STREAMS: readonly Mutation[] = [
  ['a settlement of another merchant', withMembers(GENERATED, { merchantId: 'm-2' }), 'stream', GENERATED],
  ['a payment of another merchant', withMembers(PAID, { merchantId: 'm-2' }), 'stream', PAID],
  ['a rebate of another merchant', withMembers(ACCRUED, { merchantId: 'm-2' }), 'stream', ACCRUED],
  ['the stream of another merchant', edited(PENDING, { stream: 'settlement-local-m-2' }), 'stream', PENDING],
  ['a revision twice', edited(APPLIED, { revision: 1 }), 'revision', APPLIED],
  ['a revision too late', edited(PAID, { revision: 4 }), 'revision', PAID],
  ['the first event is missing', lines.toSpliced(indexAt(ACCRUED), 1), 'revision', GENERATED],
  [
    'a rebate is applied in the stream of another merchant',
    edited(NEXT_APPLIED, { stream: 'settlement-local-m-2', revision: 3 }),
    'transition',
    NEXT_APPLIED,
  ],
];

const TRANSITIONS: readonly Mutation[] = [
  ['a settlement twice', then(generated(PENDING)), 'transition', NEXT],
  [
    'a settlement of another month twice',
    withMembers(PENDING, { settlementId: idOf(GENERATED) }),
    'transition',
    PENDING,
  ],
  [
    'a settlement of another merchant twice',
    withMembers(PENDING, { settlementId: idOf(OTHER_PENDING) }),
    'transition',
    PENDING,
  ],
  ['a rebate twice', then(accrued(NEXT_ACCRUED)), 'transition', NEXT],
  [
    'a rebate of another merchant twice',
    withMembers(NEXT_ACCRUED, { rebateId: rebateOf(OTHER_ACCRUED) }),
    'transition',
    NEXT_ACCRUED,
  ],
  ['nothing is paid', withMembers(PAID, { settlementId: 's-0' }), 'transition', PAID],
  ['a settlement is paid twice', then(paid(GENERATED, [])), 'transition', NEXT],
  ['what is paid is carried', then(carried(GENERATED)), 'transition', NEXT],
  ['what is paid is voided', then(voided(GENERATED, [])), 'transition', NEXT],
  ['what is carried is paid', then(carried(PENDING), paid(PENDING, [])), 'transition', NEXT + 1],
  ['what is void is paid', then(voided(PENDING, [OWN]), paid(PENDING, [])), 'transition', NEXT + 1],
  ['what is void is voided', then(voided(PENDING, [OWN]), voided(PENDING, [])), 'transition', NEXT + 1],
  ['what is void is carried', then(voided(PENDING, [OWN]), carried(PENDING)), 'transition', NEXT + 1],
  ['no rebate is applied', withMembers(APPLIED, { rebateId: 'r-0' }), 'transition', APPLIED],
  ['a rebate is applied to nothing', withMembers(APPLIED, { settlementId: 's-0' }), 'transition', APPLIED],
  ['a rebate is applied twice', then(applied(OWN, idOf(PENDING))), 'transition', NEXT],
  [
    'a rebate is applied to a settlement that is paid',
    then(accrued(NEXT_ACCRUED, NEW), applied('r-new', idOf(GENERATED))),
    'transition',
    NEXT + 1,
  ],
  [
    'a rebate is applied to a settlement of another merchant',
    then(accrued(NEXT_ACCRUED, NEW), applied('r-new', idOf(OTHER_PENDING))),
    'transition',
    NEXT + 1,
  ],
  ['a rebate that is applied is voided', then(rebateVoided(OWN)), 'transition', NEXT],
  ['no rebate is voided', then(rebateVoided('r-0')), 'transition', NEXT],
  [
    'a rebate is voided twice',
    then(voided(PENDING, [OWN]), rebateVoided(OWN), rebateVoided(OWN)),
    'transition',
    NEXT + 2,
  ],
  [
    'a rebate that is void is applied',
    then(
      voided(PENDING, [OWN]),
      rebateVoided(OWN),
      generated(PENDING, { settlementId: 's-9' }),
      applied(OWN, 's-9'),
    ),
    'transition',
    NEXT + 3,
  ],
];

const MEMBERS: readonly Mutation[] = [
  ['the month of a payment', withMembers(PAID, { billingPeriod: '2026-10' }), 'members', PAID],
  // Both end the stream, but only one of them is the merchant.
  ['the end of the name of the merchant', withMembers(PAID, { merchantId: '1' }), 'members', PAID],
];

const REBATES: readonly Mutation[] = [
  ['a rebate that does not exist is paid', withMembers(PAID, { rebateIds: ['r-0'] }), 'rebates', PAID],
  ['a rebate is paid twice', then(paid(PENDING, [OWN, OWN])), 'rebates', NEXT],
  ['a rebate that was paid is paid', then(paid(PENDING, [rebateOf(ACCRUED)])), 'rebates', NEXT],
  ['a rebate of another merchant is paid', then(paid(PENDING, [rebateOf(OTHER_ACCRUED)])), 'rebates', NEXT],
  [
    'a rebate that is not applied is paid',
    then(accrued(NEXT_ACCRUED, NEW), paid(PENDING, ['r-new'])),
    'rebates',
    NEXT + 1,
  ],
  ['a rebate that does not exist is accrued again', then(voided(PENDING, ['r-0'])), 'rebates', NEXT],
  ['a rebate is accrued again twice', then(voided(PENDING, [OWN, OWN])), 'rebates', NEXT],
  [
    'a rebate of another settlement is accrued again',
    then(generated(PENDING, { settlementId: 's-9' }), {
      type: 'SettlementVoided',
      data: { ...voided(PENDING, [OWN]).data, settlementId: 's-9' },
    }),
    'rebates',
    NEXT + 1,
  ],
];

it('is inconsistent, whatever the query, and both name the event and the rule', async () => {
  await expectInconsistent([...STREAMS, ...TRANSITIONS, ...MEMBERS, ...REBATES]);
});
