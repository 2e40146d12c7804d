import { canonicalJson } from '../../contracts/json/canonical-json';
import type { Json, JsonObject } from '../../contracts/json/json';
import { ledgerLine } from '../../contracts/ledger-tree/ledger-line';
import { EXIT_CODES, type FeeRule } from '../../infra/verifier/outcome';
import { randomFrom, scaled, SEED } from '../random';
import { answerCase, expectAgreement, merchantCase, write, type Case } from './agreement';
import { alterationsFrom } from '../proofs/alterations';
import { positionIn } from '../proofs/exported-ledger';
import {
  computed,
  computedCase,
  edited,
  eventAt,
  eventIn,
  expectInconsistent,
  followedBy,
  indexAt,
  lines,
  NEXT,
  QUERIES,
  reportCase,
  verdictsOf,
  withMembers,
  type Edit,
  type Mutation,
} from './signed-again';
import { signedAnswer, signedMerchantProof } from '../proofs/test-key-signer';

/*
 * Ledgers that their writer has signed, and whose fees break a rule of PROOFS.md, section 6: what tidemark-verify and the
 * second verifier say of them.
 */

/** The example with another text in the line at a position, which is not written again. */
function withText(searched: string | RegExp, replacement: string): string[] {
  const line = lines[indexAt(COLLECTED)]!;
  const text = line.replace(searched, replacement);
  expect(text).not.toBe(line);
  return lines.with(indexAt(COLLECTED), text);
}

const withAdjustment = (members: JsonObject): string[] => {
  const { adjustment } = eventAt(ADJUSTED).data;
  return withMembers(ADJUSTED, { adjustment: { ...(adjustment as JsonObject), ...members } });
};

/** The position of the event that recorded a fee of the example. */
const recordedAt = (id: string): number => positionIn(lines.find(line => eventIn(line).data['id'] === id)!);

/** A later event of a fee of the example. */
function later(id: string, type: string, revision: number): Required<Edit> {
  const { collection_status: _, ...facts } = eventAt(recordedAt(id)).data;
  const adjustment = type === 'FeeReversed' ? { adjustment: null } : {};
  return { stream: `fee-${id}`, revision, type, data: { ...facts, ...adjustment } };
}

/** Like the first fee of the example. */
function recorded(id: string, edit: Edit = {}): Required<Edit> {
  const { type, data } = eventAt(0);
  return { stream: `fee-${id}`, revision: 0, type, data: { ...data, id }, ...edit };
}

const COLLECTED = 9;
const WAIVED = 10;
const REVERSED = 11;
const ADJUSTED = 33;
const LATER = [COLLECTED, WAIVED, REVERSED, ADJUSTED, 36];

const OTHER = {
  id: 'f-99',
  fee_type: 'other',
  fee_amount: '9.99',
  gross_amount: '99.90',
  billing_period: '2026-08',
  created_at: '2026-10-09T08:00:00.000Z',
  merchant_id: 'm-9',
  merchant_name: 'Somebody',
  merchant_slug: 'somebody',
};
const ruleOf = (member: string): FeeRule =>
  member === 'id' ? 'stream' : member === 'billing_period' ? 'period' : 'members';
const isDated = (member: string): boolean => ['day', 'created_at'].includes(member);
/** Of the same month. */
const otherDay = (position: number): JsonObject => ({
  day: `${String(eventAt(position).data['billing_period'])}-28`,
});

const MEMBERS: readonly Mutation[] = [
  ...LATER.flatMap(position =>
    Object.entries({ ...OTHER, ...otherDay(position) }).map(([member, value]): Mutation => [
      `another ${member} at ${position}`,
      withMembers(position, { [member]: value as Json }),
      ruleOf(member),
      position,
    ]),
  ),
  ...Object.entries({ ...OTHER, ...otherDay(4) }).map(([member, value]): Mutation => [
    `another ${member} where it is recorded`,
    withMembers(4, { [member]: value as Json }),
    isDated(member) ? 'day' : ruleOf(member),
    ruleOf(member) === 'members' && !isDated(member) ? COLLECTED : 4,
  ]),
  ['another text of an equal amount', withMembers(COLLECTED, { fee_amount: '1.5' }), 'members', COLLECTED],
];

const ADJUSTMENTS: readonly Mutation[] = Object.entries<readonly string[]>({
  id: ['f-1', 'f-1~reversal~reversal', 'f-7~reversal'],
  fee_amount: ['1.50', '-1.49', '-1.5', '-1.500', '0.00'],
  gross_amount: ['100.00', '-100', '-99.00'],
  fee_type: ['swap'],
  merchant_id: ['m-2'],
  merchant_name: ['Renamed'],
  merchant_slug: ['somebody'],
  billing_period: ['2026-09', 'November'],
  day: ['2026-10-02'],
}).flatMap(([member, values]) =>
  values.map((value): Mutation => [
    `an adjustment with ${member} ${value}`,
    withAdjustment({ [member]: value }),
    'adjustment',
    ADJUSTED,
  ]),
);

const TRANSITIONS: readonly Mutation[] = [
  ...(
    [
      ['f-2', 'FeeCollected', 1],
      ['f-2', 'FeeWaived', 1],
      ['f-10', 'FeeReversed', 1],
      ['f-5', 'FeeCollected', 2],
      ['f-5', 'FeeWaived', 2],
      ['f-6', 'FeeCollected', 2],
      ['f-6', 'FeeWaived', 2],
      ['f-6', 'FeeReversed', 2],
      ['f-8', 'FeeCollected', 2],
      ['f-8', 'FeeWaived', 2],
      ['f-8', 'FeeReversed', 2],
      ['f-1', 'FeeReversed', 2],
      ['f-1', 'FeeCollected', 2],
    ] as const
  ).map(([id, type, revision]): Mutation => [
    `${type} of ${id}`,
    followedBy(later(id, type, revision)),
    'transition',
    NEXT,
  ]),
  ...['FeeCollected', 'FeeWaived', 'FeeReversed'].map((type): Mutation => [
    `${type} of a fee that was not recorded`,
    followedBy({
      ...later('f-2', type, 0),
      ...recorded('f-77', { type, data: { ...later('f-2', type, 0).data, id: 'f-77' } }),
    }),
    'transition',
    NEXT,
  ]),
  [
    'a fee that is recorded twice',
    followedBy(recorded('f-5', { revision: 2, data: eventAt(4).data })),
    'transition',
    NEXT,
  ],
  [
    'FeeCollected in place of FeeReversed',
    edited(REVERSED, { type: 'FeeCollected' }),
    'transition',
    REVERSED,
  ],
  [
    'FeeRecorded in place of FeeWaived',
    edited(WAIVED, { type: 'FeeRecorded', data: eventAt(5).data }),
    'transition',
    WAIVED,
  ],
  [
    'a fee that was recorded as collected',
    withMembers(4, { collection_status: 'collected' }),
    'transition',
    COLLECTED,
  ],
  [
    'a fee that was recorded as pending',
    withMembers(7, { collection_status: 'pending' }),
    'transition',
    REVERSED,
  ],
];

const STREAMS: readonly Mutation[] = [
  ['the stream of another fee', edited(COLLECTED, { stream: 'fee-f-6' }), 'stream', COLLECTED],
  [
    'a new fee in the stream of another',
    followedBy(recorded('f-77', { stream: 'fee-f-78' })),
    'stream',
    NEXT,
  ],
  ['a fee with the id of an adjustment', followedBy(recorded('f-2~reversal')), 'stream', NEXT],
  ['the first event is missing', lines.toSpliced(4, 1), 'revision', COLLECTED],
  ['a revision too late', edited(COLLECTED, { revision: 2 }), 'revision', COLLECTED],
  ['a revision twice', edited(COLLECTED, { revision: 0 }), 'revision', COLLECTED],
  ['a first revision that is not 0', followedBy(recorded('f-77', { revision: 1 })), 'revision', NEXT],
  ['a fee that is recorded twice at revision 0', followedBy(recorded('f-1')), 'revision', NEXT],
  ['an event twice', followedBy(later('f-5', 'FeeCollected', 1)), 'revision', NEXT],
  ['a month that is not that of its day', withMembers(0, { billing_period: '2026-10' }), 'period', 0],
  ...['2026-12-01', '2026-12-05', '2026-02-30', '9999-12-31', '0000-01-01'].map((day): Mutation => [
    `an adjustment of another day than that of its instant, ${day}`,
    withAdjustment({ day: '2026-12-03', billing_period: '2026-12', created_at: `${day}T23:59:59.999Z` }),
    'day',
    ADJUSTED,
  ]),
  [
    'a day that does not exist',
    withAdjustment({ day: '2027-02-29', billing_period: '2027-02', created_at: '2027-03-01T00:00:00.000Z' }),
    'day',
    ADJUSTED,
  ],
  ['a day that is not of its month', withMembers(3, { day: '2026-11-01' }), 'period', 3],
];

const MUTATIONS = [...MEMBERS, ...ADJUSTMENTS, ...TRANSITIONS, ...STREAMS];

async function ofMerchant(what: string, events: readonly string[], chosen: readonly number[]): Promise<Case> {
  return merchantCase(what, write(JSON.stringify(await signedMerchantProof(events, MERCHANT, chosen))));
}

const MERCHANT = 'm-1';
/** The indexes of all events of the merchant's fees. */
const itsEvents = (events: readonly string[]): number[] =>
  [...events.keys()].filter(n => {
    const { stream, data } = eventIn(events[n]!);
    return stream.startsWith('fee-') && data['merchant_id'] === MERCHANT;
  });

it('is inconsistent, whatever the query, and both name the event and the rule', async () => {
  expect(MUTATIONS.length).toBeGreaterThan(100);
  await expectInconsistent(MUTATIONS);
});

it('is consistent when an adjustment has its own date, or when a fee is waived in place of collected', async () => {
  const cases: Case[] = [];
  for (const [what, events] of [
    ['the example', lines],
    ...['2026-12-02', '2026-12-03', '2026-12-04'].map((day): [string, string[]] => [
      `another month, of ${day} in UTC`,
      withAdjustment({ day: '2026-12-03', billing_period: '2026-12', created_at: `${day}T00:00:00.000Z` }),
    ]),
    ['waived', edited(COLLECTED, { type: 'FeeWaived' })],
    ['a member that the page does not name', withMembers(COLLECTED, { note: 'a' })],
    ['names that are numbers, and as deep as can be', withMembers(COLLECTED, { 10: 1, 9: nested(62) })],
    ['a text like half of a surrogate pair', withMembers(COLLECTED, { note: '\\ud800', ä: '😀\u007f' })],
    [
      'a fee of nothing',
      followedBy(recorded('f-77', { data: { ...eventAt(0).data, id: 'f-77', fee_amount: '-0' } })),
    ],
  ] as const) {
    cases.push(await computedCase(what, events, QUERIES[0]!));
  }
  expect(verdictsOf(cases)).toEqual(cases.map(({ what }) => [what, EXIT_CODES.verified, null]));
  expectAgreement(cases);
});

const nested = (levels: number): Json => (levels === 0 ? 1 : [nested(levels - 1)]);

/** Each signed by the writer of the ledger. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  'white space': withText(/^\{/, '{ '),
  'a line end of another kind': withText(/$/, '\r'),
  'another order of members': withText(/^\{("created":"[^"]*"),(.*)\}$/, '{$2,$1}'),
  'another order in its data': withText(/("fee_amount":"[^"]*"),("fee_type":"[^"]*")/, '$2,$1'),
  'a member twice': withText('"fee_amount":"', '"fee_amount":"9.99","fee_amount":"'),
  'a fraction': withText(/"revision":(\d+)/, '"revision":$1.0'),
  'an exponent': withText(/"revision":(\d+)/, '"revision":$1e0'),
  'a negative zero': withText(/"secureSessionAge":\d+/, '"secureSessionAge":-0'),
  'no number of a double': withText(/"secureSessionAge":\d+/, '"secureSessionAge":1e999'),
  'an escape that is not needed': withText('"fee_type"', '"fee\\u005ftype"'),
  'half of a surrogate pair': withText('"data":{', '"data":{"a":"\\ud800",'),
  'too many levels': withMembers(COLLECTED, { note: nested(63) }),
  'a byte order mark': withText(/^/, '\ufeff'),
  'no JSON': withText(/\}$/, ''),
  'no event': withText(/^.*$/, '[]'),
  'no id': withText(/"id":"[\w-]{36}",/, ''),
  'an id of another form': withText(/"id":"[\w-]{36}"/, '"id":"9"'),
  'a member more': withText('"data":', '"cursor":1,"data":'),
  'an instant of another form': withText(/"created":"([^"]*)Z"/, '"created":"$1+00:00"'),
  'a stream that is not of the ledger': edited(COLLECTED, { stream: 'exchangeOrder-1' }),
  'a stream without an id': edited(COLLECTED, { stream: 'fee' }),
  'a revision before the first': edited(COLLECTED, { revision: -1 }),
  'a revision that is no integer': edited(COLLECTED, { revision: 1.5 }),
  'a revision above those of doubles': edited(COLLECTED, { revision: 2 ** 53 }),
  'data of a list': edited(COLLECTED, { data: [] as unknown as JsonObject }),
  'no version': edited(COLLECTED, { metadata: {} }),
  'a version of text': edited(COLLECTED, { metadata: { v: '1' } }),
};

it('is altered when a line that is signed is not the canonical form of an event of the ledger', async () => {
  const cases: Case[] = [];
  for (const [n, [what, events]] of Object.entries(FORMS).entries())
    cases.push(await reportCase(what, events, { query: QUERIES[n % QUERIES.length]! }));
  expect(verdictsOf(cases)).toEqual(cases.map(({ what }) => [what, EXIT_CODES.altered, null]));
  expectAgreement(cases);
});

it('has no events of a merchant whose lines are not canonical', async () => {
  const cases: Case[] = [];
  for (const [what, events] of Object.entries(FORMS))
    cases.push(await ofMerchant(what, events, [indexAt(COLLECTED)]));
  expect(verdictsOf(cases)).toEqual(cases.map(({ what }) => [what, EXIT_CODES.wrong_answer, null]));
  expectAgreement(cases);
});

it('is unusable when an event of a fee has not the form of its type', async () => {
  const { adjustment: _, ...withoutAdjustment } = eventAt(REVERSED).data;
  const { merchant_slug: __, ...withoutSlug } = eventAt(COLLECTED).data;
  const cases = await Promise.all(
    Object.entries<readonly string[]>({
      'an amount': withMembers(COLLECTED, { fee_amount: 'much' }),
      'a sum': withMembers(0, { gross_amount: '123456789012345678901.00' }),
      'a number': withMembers(COLLECTED, { gross_amount: 100 }),
      'a day': withMembers(0, { day: '2026-09-3' }),
      'a day before the first': withMembers(0, { day: '1969-12-31', billing_period: '1969-12' }),
      'a day after the last': withMembers(0, { day: '3000-01-01', billing_period: '3000-01' }),
      'an instant': withMembers(0, { created_at: '2026-09-03T10:00:00Z' }),
      'a status': withMembers(4, { collection_status: 'waived' }),
      'no status': edited(4, { data: later('f-5', 'FeeCollected', 1).data! }),
      'a missing member': edited(COLLECTED, { data: withoutSlug }),
      'no adjustment': edited(REVERSED, { data: withoutAdjustment }),
      'an adjustment of text': withMembers(REVERSED, { adjustment: 'f-8~reversal' }),
      'an adjustment without members': withMembers(REVERSED, { adjustment: {} }),
      'an amount of an adjustment': withAdjustment({ fee_amount: '-01.50' }),
      'a type': edited(COLLECTED, { type: 'FeeForgiven' }),
    }).map(([what, events]) => reportCase(what, events)),
  );
  expect(verdictsOf(cases)).toEqual(cases.map(({ what }) => [what, EXIT_CODES.unusable, null]));
  expectAgreement(cases);
});

it('is unusable when an event that changes no answer is unknown', async () => {
  const cases = await Promise.all(
    ['rebateRule-', 'invoicePeriod-', 'invoiceNumber-', 'merchantSlug-'].flatMap(stream => {
      const event = lines.map(eventIn).find(each => each.stream.startsWith(stream))!;
      const version = { metadata: { ...event.metadata, v: 2 } };
      return [
        reportCase(`type of ${stream}`, edited(event.position, { type: 'FeeForgiven' })),
        reportCase(`version of ${stream}`, edited(event.position, version)),
      ];
    }),
  );
  expect(verdictsOf(cases)).toEqual(cases.map(({ what }) => [what, EXIT_CODES.unusable, null]));
  expectAgreement(cases);
});

it('counts after asOf and what is before it, before the answer, and from event to event', async () => {
  const broken = withMembers(COLLECTED, { fee_amount: '9.99' });
  const unknown = ledgerLine({ ...eventAt(WAIVED), type: 'FeeForgiven' });
  const unknownFirst = ledgerLine({ ...eventAt(0), type: 'FeeForgiven' });
  const signed = (await signedAnswer(broken, QUERIES[0]!, {}, {})) as JsonObject;
  const file = write(broken.map(line => `${line}\n`).join(''));
  const earlier = lines.slice(0, indexAt(COLLECTED));
  const body = await computed(earlier, QUERIES[0]!);
  const cases = [
    await reportCase('asOf', broken, { query: { ...QUERIES[0]!, asOf: 5 } }),
    await answerCase('the answer of the file', {
      export: file,
      answer: write(JSON.stringify({ ...signed, more: 1 })),
    }),
    await answerCase('other events', { answer: write(JSON.stringify(signed)) }),
    await reportCase('an unknown event before it', broken.with(0, unknownFirst)),
    await reportCase('an unknown event after it', broken.with(indexAt(WAIVED), unknown)),
    await answerCase('after the events of the proof', {
      export: file,
      answer: write(JSON.stringify(await signedAnswer(earlier, QUERIES[0]!, body, {}))),
    }),
  ];
  const { wrong_answer, altered, unusable, inconsistent, verified } = EXIT_CODES;
  expect(cases.map(({ code }) => code)).toEqual([
    ...[wrong_answer, wrong_answer, altered, unusable, inconsistent, verified],
  ]);
  expectAgreement(cases);
});

it('is not asked with a query that is not of the table of the page', async () => {
  const page = { page: 1, pageSize: 3 };
  const id = '246880f0-1d64-4de4-9c81-e4ca3bb0c481';
  const queries: readonly JsonObject[] = [
    { action: 'list_invoices', page: 1 },
    { action: 'list_invoices', pageSize: 3 },
    { action: 'list_invoices', ...page, pageSize: 201 },
    { action: 'list_invoices', ...page, status: '-0' },
    { action: 'list_fee_ledger', ...page, status: 'paid' },
    { action: 'list_fee_ledger', ...page, feeType: '١.50' },
    { action: 'list_fee_ledger', ...page, merchantSlug: '' },
    { action: 'list_settlements', ...page, status: 'accrued' },
    { action: 'list_rebates', ...page, merchantId: '-' },
    { action: 'get_revenue', billingPeriod: '٢٠٢٦-10' },
    { action: 'get_revenue', dateFrom: '2026-02-30' },
    { action: 'get_revenue', dateFrom: '2026-10-02', dateTo: '2026-10-01' },
    { action: 'get_revenue', proof: true },
    { action: 'get_revenue', asOf: '2099-01-01T00:00:00Z' },
    { action: 'get_revenue', asOf: '2999-12-31T00:00:00.000Z' },
    { action: 'get_revenue', asOf: '2026-02-30T00:00:00.000Z' },
    { action: 'get_revenue', asOf: null },
    { action: 'get_invoice', invoiceId: 'f-1' },
    { action: 'get_invoice', invoiceId: id.toUpperCase() },
    { action: 'get_invoice', invoiceId: id.replace('4de4', '0de4') },
    { action: 'get_settlement', settlementId: '' },
  ];
  const cases: Case[] = [];
  for (const query of queries) cases.push(await reportCase(JSON.stringify(query), lines, { query }));
  expect(verdictsOf(cases)).toEqual(cases.map(({ what }) => [what, EXIT_CODES.unusable, null]));
  expectAgreement(cases);
});

describe('the events of a merchant', () => {
  const { below } = alterationsFrom(randomFrom(SEED));
  const some = (indexes: readonly number[]): number[] => indexes.filter(() => below(2) === 0);

  it('are consistent, whichever of them are left out', async () => {
    const all = itsEvents(lines);
    const cases = [await ofMerchant('all', lines, all)];
    for (let n = 0; n < scaled(40); n++) cases.push(await ofMerchant('some', lines, some(all)));
    expect(cases.map(({ code }) => code)).toEqual(cases.map(() => EXIT_CODES.verified));
    expectAgreement(cases);
  });

  it('are inconsistent as far as they show it', async () => {
    const cases: Case[] = [];
    for (const [what, events] of MUTATIONS) {
      cases.push(await ofMerchant(what, events, itsEvents(events)));
      cases.push(await ofMerchant(`some: ${what}`, events, some(itsEvents(events))));
    }
    expect(cases.filter(({ code }) => code === EXIT_CODES.inconsistent).length).toBeGreaterThan(60);
    expectAgreement(cases);
  });
});

it('agrees on ledgers that were altered at random and signed again', async () => {
  const { below, oneOf, values } = alterationsFrom(randomFrom(SEED + 1));
  const ofFees = [...lines.keys()].filter(n => eventIn(lines[n]!).stream.startsWith('fee-'));
  const types = ['FeeRecorded', 'FeeCollected', 'FeeWaived', 'FeeReversed'];
  const cases: Case[] = [];
  for (let n = 0; n < scaled(160); n++) {
    let events = [...lines];
    for (let changes = 1 + below(2); changes > 0; changes--) {
      const index = oneOf(ofFees);
      const event = eventIn(events[index]!);
      const data = (): JsonObject =>
        JSON.parse(values(Buffer.from(JSON.stringify(event.data))).toString()) as JsonObject;
      const change = oneOf<() => Edit>([
        () => ({ data: data() }),
        () => ({ data: data() }),
        () => ({ data: { ...event.data, [oneOf(Object.keys(OTHER))]: oneOf(Object.values(OTHER)) } }),
        () => ({ data: eventIn(events[oneOf(ofFees)]!).data }),
        () => ({ type: oneOf(types) }),
        () => ({ revision: below(3) }),
        () => ({ stream: eventIn(events[oneOf(ofFees)]!).stream }),
      ])();
      events = events.with(index, canonicalJson({ ...event, ...change } as unknown as Json));
    }
    cases.push(await computedCase(`seed ${SEED}, ledger ${n}`, events, oneOf(QUERIES)));
  }
  const inconsistent = cases.filter(({ code }) => code === EXIT_CODES.inconsistent);
  expect(inconsistent.length).toBeGreaterThan(cases.length / 4);
  expectAgreement(cases);
});
