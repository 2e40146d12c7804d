import { canonicalDigest } from '../../contracts/json/canonical-json';
import type { JsonObject } from '../../contracts/json/json';
import { EXIT_CODES } from '../../infra/verifier/outcome';
import { expectAgreement, type Case } from './agreement';
import {
  computed,
  computedCase,
  edited,
  eventAt,
  expectInconsistent,
  followedBy,
  indexAt,
  lines,
  NEXT,
  reportCase,
  verdictsOf,
  withMembers,
  type Edit,
  type Mutation,
} from './signed-again';

/*
 * Ledgers that their writer has signed, and whose invoices break a rule of PROOFS.md, section 6, or yield no answer: what
 * tidemark-verify and the second verifier say of them.
 */
const [GENERATED, STARTED, FINALIZED] = [18, 19, 22];
const VOIDED = 28;
/** A draft, whose stream has nothing else. */
const DRAFT = 32;
const { stream: STREAM, data: CONTENT } = eventAt(DRAFT);
const ID = CONTENT['invoiceId'] as string;
const MONTH = CONTENT['billingPeriod'] as string;

const BY = { invoiceId: ID, billingPeriod: MONTH, at: '2026-11-30T00:00:00.000Z', by: 'admin@test' };
const started = { type: 'InvoiceFinalizationStarted', data: { ...BY, issuedOn: '2026-11-30' } };
const finalized = { type: 'InvoiceFinalized', data: { ...BY, number: 'INV-202611-0003' } };
const voided = { type: 'InvoiceVoided', data: { ...BY, reason: null } };

/** The example, and further events of the draft. */
const then = (...changes: readonly Pick<Required<Edit>, 'type' | 'data'>[]): string[] =>
  followedBy(...changes.map((change, n) => ({ ...change, stream: STREAM, revision: 1 + n })));

const LINES = CONTENT['lines'] as JsonObject[];
const PARTS = [LINES, LINES.slice(0, 1)];
const DIGEST = canonicalDigest(PARTS);
const drafted = (part: number, edit: Partial<Required<Edit>> = {}): Required<Edit> => ({
  type: 'InvoiceLinesDrafted',
  stream: `${STREAM}-lines-${DIGEST}`,
  revision: part,
  data: { invoiceId: ID, billingPeriod: MONTH, digest: DIGEST, part, lines: PARTS[part]! },
  ...edit,
});
/** An invoice whose lines are in parts before it. */
const ofParts = (parts: number): Required<Edit> => ({
  type: 'InvoiceGenerated',
  stream: 'invoice-i-9',
  revision: 0,
  data: { ...CONTENT, invoiceId: 'i-9', drafted: { digest: DIGEST, parts } },
});
const partOf = (part: number): Required<Edit> => {
  const { data } = drafted(part);
  return drafted(part, { stream: `invoice-i-9-lines-${DIGEST}`, data: { ...data, invoiceId: 'i-9' } });
};

const MUTATIONS: readonly Mutation[] = [
  ['the stream of another invoice', edited(DRAFT, { stream: 'invoice-i-9' }), 'stream', DRAFT],
  ['another invoice', withMembers(FINALIZED, { invoiceId: ID }), 'stream', FINALIZED],
  ['lines of another invoice', followedBy(drafted(0, { stream: 'invoice-i-9-lines-0' })), 'stream', NEXT],
  [
    'lines in the stream of their invoice',
    followedBy(drafted(0, { stream: STREAM, revision: 1 })),
    'stream',
    NEXT,
  ],
  ['a revision twice', edited(FINALIZED, { revision: 1 }), 'revision', FINALIZED],
  ['a revision too late', edited(DRAFT, { revision: 1 }), 'revision', DRAFT],
  ['the first event is missing', lines.toSpliced(indexAt(GENERATED), 1), 'revision', STARTED],
  ['lines whose first part is missing', followedBy(drafted(1)), 'revision', NEXT],
  ['it is generated twice', then({ type: 'InvoiceGenerated', data: CONTENT }), 'transition', NEXT],
  ['nothing is finalized', edited(DRAFT, finalized), 'transition', DRAFT],
  ['nothing is voided', edited(DRAFT, voided), 'transition', DRAFT],
  ['a draft is finalized', then(finalized), 'transition', NEXT],
  ['it is finalized twice', then(started, finalized, finalized), 'transition', NEXT + 2],
  ['its finalization starts twice', then(started, started), 'transition', NEXT + 1],
  ['it is voided while it is being finalized', then(started, voided), 'transition', NEXT + 1],
  ['what is finalized is finalized again', then(started, finalized, started), 'transition', NEXT + 2],
  ['it is voided twice', then(voided, voided), 'transition', NEXT + 1],
  ['what is void is finalized', then(voided, started), 'transition', NEXT + 1],
  ['the month of a number', withMembers(FINALIZED, { billingPeriod: MONTH }), 'members', FINALIZED],
  ['the month of a void invoice', withMembers(VOIDED, { billingPeriod: '2026-09' }), 'members', VOIDED],
  ['a part that is not the next one', followedBy(drafted(0, { data: drafted(1).data })), 'lines', NEXT],
  ['no parts', followedBy(ofParts(2)), 'lines', NEXT],
  ['a part too few', followedBy(partOf(0), ofParts(2)), 'lines', NEXT + 1],
  ['a part too many', followedBy(partOf(0), partOf(1), ofParts(1)), 'lines', NEXT + 2],
  ['parts of another invoice', followedBy(drafted(0), drafted(1), ofParts(2)), 'lines', NEXT + 2],
];

it('is inconsistent, whatever the query, and both name the event and the rule', async () => {
  await expectInconsistent(MUTATIONS);
});

it('is consistent in every other order of an invoice, and with lines in parts', async () => {
  const query = { action: 'list_invoices', page: 1, pageSize: 3 };
  const cases: Case[] = [];
  for (const [what, events] of [
    ['a draft is voided', then(voided)],
    ['it is finalized and voided', then(started, finalized, voided)],
    ['lines without an invoice', followedBy(drafted(0))],
    ['lines in two parts', followedBy(partOf(0), partOf(1), ofParts(2))],
    ['no lines before it', followedBy(ofParts(0))],
  ] as const)
    cases.push(await computedCase(what, events, query));
  expect(verdictsOf(cases)).toEqual(cases.map(({ what }) => [what, EXIT_CODES.verified, null]));
  expectAgreement(cases);
});

it('yields no answer about an invoice whose content is not that of its hash', async () => {
  const [first, ...others] = LINES;
  const alterations: readonly JsonObject[] = [
    { lines: [{ ...first, merchantName: 'Somebody' }, ...others] },
    { lines: [{ ...first, totalFee: '9.99' }, ...others] },
    { lines: [] },
    { periodEnd: '2026-10-01T22:00:00.000Z' },
    { contentHash: '0'.repeat(64) },
  ];
  const query = { action: 'get_invoice', invoiceId: ID };
  const { invoice } = (await computed(lines, query)) as { invoice: JsonObject };
  const list = { action: 'list_invoices', page: 1, pageSize: 3 };
  const ofInvoice: Case[] = [];
  const ofOthers: Case[] = [];
  for (const altered of alterations) {
    const [what, events] = [JSON.stringify(altered), withMembers(DRAFT, altered)];
    // Otherwise the answer that these events yield.
    ofInvoice.push(await reportCase(what, events, { query, body: { invoice: { ...invoice, ...altered } } }));
    ofOthers.push(await computedCase(what, events, list));
  }
  expect(ofInvoice.map(({ code }) => code)).toEqual(alterations.map(() => EXIT_CODES.wrong_answer));
  expect(ofOthers.map(({ code }) => code)).toEqual(alterations.map(() => EXIT_CODES.verified));
  expectAgreement([...ofInvoice, ...ofOthers]);
});
