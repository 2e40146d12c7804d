import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEE_CATEGORY } from '../../contracts/events/fee';
import { INVOICE_CATEGORY, invoiceEvents, invoiceLinesEvents } from '../../contracts/events/invoice';
import { INVOICE_NUMBER_CATEGORY, invoiceNumberEvents } from '../../contracts/events/invoice-number';
import { INVOICE_PERIOD_CATEGORY, invoicePeriodEvents } from '../../contracts/events/invoice-period';
import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import { MERCHANT_CATEGORY, merchantEvents } from '../../contracts/events/merchant';
import { MERCHANT_SLUG_CATEGORY, merchantSlugEvents } from '../../contracts/events/merchant-slug';
import { REBATE_RULE_CATEGORY, rebateRuleEvents } from '../../contracts/events/rebate-rule';
import { SETTLEMENT_CATEGORY, settlementEvents } from '../../contracts/events/settlement';
import type { Json, JsonObject } from '../../contracts/json/json';
import { AMOUNT } from '../../contracts/money/money';
import { EXIT_CODES } from '../../infra/verifier/outcome';
import { INVOICE_SAMPLES } from '../events/samples/invoice';
import { MERCHANT_SAMPLES } from '../events/samples/merchant';
import { SETTLEMENT_SAMPLES } from '../events/samples/settlement';
import { randomFrom, sampled, scaled, SEED } from '../random';
import { expectAgreement, type Case } from './agreement';
import { alterationsFrom } from '../proofs/alterations';
import {
  computedCase,
  edited,
  eventIn,
  followedBy,
  lines,
  QUERIES,
  reportCase,
  verdictsOf,
} from './signed-again';

/*
 * Ledgers that their writer has signed, and of which an event that is not of a fee has not the form of its type (PROOFS.md,
 * section 6): what tidemark-verify and the second verifier say of them.
 */
const TYPES = (
  [
    [INVOICE_CATEGORY, invoiceEvents],
    [INVOICE_CATEGORY, invoiceLinesEvents],
    [INVOICE_NUMBER_CATEGORY, invoiceNumberEvents],
    [INVOICE_PERIOD_CATEGORY, invoicePeriodEvents],
    [MERCHANT_CATEGORY, merchantEvents],
    [MERCHANT_SLUG_CATEGORY, merchantSlugEvents],
    [REBATE_RULE_CATEGORY, rebateRuleEvents],
    [SETTLEMENT_CATEGORY, settlementEvents],
  ] as const
).flatMap(([category, { types }]) => types.map(({ name }) => ({ name, category })));
const SAMPLES = { ...INVOICE_SAMPLES, ...MERCHANT_SAMPLES, ...SETTLEMENT_SAMPLES };

const MONTH = /^\d{4}-\d\d$/;

const PAGE = readFileSync(join(__dirname, '../../contracts/ledger-tree/PROOFS.md'), 'utf8');

/** The example and an event, in a stream of its category. */
const withEvent = (type: string, category: string, data: JsonObject): string[] =>
  followedBy({ type, stream: `${category}-x`, revision: 0, data });

/** The value with another one at each place in it, in turn. @param other undefined: the member is left out */
function* altered(value: Json, other: (before: Json) => Json | undefined): Generator<Json> {
  if (value === null || typeof value !== 'object') return;
  for (const [name, before] of Object.entries(value) as [string, Json][]) {
    const replaced = (inner: Json): Json =>
      Array.isArray(value) ? value.with(Number(name), inner) : { ...value, [name]: inner };
    for (const inner of altered(before, other)) yield replaced(inner);
    const instead = other(before);
    if (instead !== undefined) yield replaced(instead);
    else if (!Array.isArray(value)) {
      const { [name]: _, ...others } = value;
      yield others;
    }
  }
}

/** Every sample, with its data altered in each place; at a small scale some of them. */
function casesOf(other: (before: Json) => Json | undefined): Promise<Case[]> {
  const events = TYPES.flatMap(({ name, category }) =>
    SAMPLES[name]!.flatMap(({ data }) =>
      [...altered(data, other)].map(each => ({ name, category, data: each as JsonObject })),
    ),
  );
  return Promise.all(
    sampled(events, 0.1).map(({ name, category, data }, n) =>
      reportCase(`${name} ${JSON.stringify(data)}`, withEvent(name, category, data), {
        query: QUERIES[n % QUERIES.length]!,
      }),
    ),
  );
}

it('has the types of every category of the ledger, and the page has their forms', () => {
  expect(new Set([FEE_CATEGORY, ...TYPES.map(({ category }) => category)])).toEqual(
    new Set(LEDGER_CATEGORIES),
  );
  const forms = PAGE.slice(PAGE.indexOf('**Forms.**'), PAGE.indexOf('**Rules.**'));
  expect(TYPES.filter(({ name }) => !forms.includes(`\`${name}\``))).toEqual([]);
});

it('every frozen sample has its form', async () => {
  const cases = await Promise.all(
    TYPES.flatMap(({ name, category }) =>
      SAMPLES[name]!.map(({ data }) => reportCase(name, withEvent(name, category, data))),
    ),
  );
  // It may break a rule, or the answer is another one.
  const { inconsistent, wrong_answer } = EXIT_CODES;
  expect(cases.filter(({ code }) => ![inconsistent, wrong_answer].includes(code as never))).toEqual([]);
  expectAgreement(cases);
});

it.each<readonly [string, (before: Json) => Json | undefined]>([
  ['a member is missing', () => undefined],
  ['a member is of another type', before => (typeof before === 'string' || before === null ? 1 : 'a')],
  ['a member is true', () => true],
  ['a month is none', before => (MONTH.test(String(before)) ? '2026-13' : true)],
  [
    'an integer is a fraction, or a sum is none',
    before => (typeof before === 'number' ? before + 0.5 : AMOUNT.test(String(before)) ? '01.00' : true),
  ],
  [
    'an object has a member more',
    before => (before && typeof before === 'object' && !Array.isArray(before) ? { ...before, note: 1 } : 1.5),
  ],
])('is unusable when %s', async (_what, other) => {
  const cases = await casesOf(other);
  expect(cases.length).toBeGreaterThan(10);
  expect(verdictsOf(cases)).toEqual(cases.map(({ what }) => [what, EXIT_CODES.unusable, null]));
  expectAgreement(cases);
});

const EVENTS = lines.map(eventIn).filter(({ stream }) => !stream.startsWith('fee-'));

it('agrees on events that were altered at random', async () => {
  const { below, oneOf, values } = alterationsFrom(randomFrom(SEED + 2));
  const cases: Case[] = [];
  for (let n = 0; n < scaled(160); n++) {
    const { position, data, type } = oneOf(EVENTS);
    const source = oneOf(EVENTS);
    const [member, value] = oneOf(Object.entries(source.data));
    const edit = oneOf([
      () => ({ data: JSON.parse(values(Buffer.from(JSON.stringify(data))).toString()) as JsonObject }),
      () => ({ data: { ...data, [member]: value } as JsonObject }),
      () => ({ data: source.data }),
      () => ({ type: source.type }),
      () => ({ type: source.type, data: source.data }),
      () => ({ revision: below(4) }),
      () => ({ stream: source.stream }),
    ])();
    cases.push(await computedCase(`seed ${SEED}, ${type} ${n}`, edited(position, edit), oneOf(QUERIES)));
  }
  const verified = cases.filter(({ code }) => code === EXIT_CODES.verified);
  expect(verified.length).toBeGreaterThan(cases.length / 20);
  expectAgreement(cases);
});
