import { join } from 'node:path';
import request, { type Response } from 'supertest';
import type { Json } from '../../contracts/json/json';
import type { Document } from '../../contracts/ports/documents';
import { AppendTooLarge, type EventStore } from '../../contracts/ports/event-store';
import { evidenceIn, readKeys } from '../../infra/verifier/evidence';
import { hashEvents } from '../../infra/verifier/hash-events';
import { verifyReport } from '../../infra/verifier/verify-report';
import { INVOICE_LINES } from '../../projections/billing/invoices';
import { physicalName } from '../../projections/engine/generation';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { exportedLines, writeJson, writeLines } from '../proofs/exported-ledger';
import { crashPoints, createCrashInjector } from './crash-points';
import { openInstance, type FeeInput, type TestInstance } from './instance';

const MERCHANTS = ['m-1', 'm-2', 'm-3', 'm-4'];
/** A line takes about 150 bytes, so each line is a part, and the last is in the invoice event. */
const PART = 200;
const APPENDS = 1 + MERCHANTS.length;

const collected = (merchant: string, more: Partial<FeeInput> = {}): FeeInput => ({
  id: `fee-${merchant}`,
  merchant_id: merchant,
  merchant_slug: merchant,
  ...more,
});

const crashes = createCrashInjector();
/** The maximum size of an append, in characters. */
let room: number;
const small = (store: EventStore): EventStore => ({
  ...store,
  async append(stream, expected, events) {
    if (JSON.stringify(events).length > room) throw new AppendTooLarge(stream);
    return store.append(stream, expected, events);
  },
});

let clock: number;
let instance: TestInstance;
beforeEach(async () => {
  room = Infinity;
  clock = Date.parse('2026-12-01T09:00:00.000Z');
  instance = await openInstance({
    wrapStore: store => crashes.wrap(small(store)),
    settings: { INVOICE_PART_BYTES: String(PART) },
    now: () => new Date(clock).toISOString(),
  });
  await instance.record(MERCHANTS.map(merchant => collected(merchant)));
});
afterEach(() => instance.close());

const GENERATE = { action: 'generate_invoice', billingPeriod: '2026-11' };
const get = (invoiceId: string, more: object = {}) =>
  instance.act({ action: 'get_invoice', invoiceId, ...more });
const list = () => instance.act({ action: 'list_invoices' });
const merchantsIn = ({ body }: Response): string[] =>
  (body.invoice.lines as { merchantId: string }[]).map(({ merchantId }) => merchantId);

async function drafted(): Promise<string> {
  const { status, body } = await instance.act(GENERATE);
  expect(status).toBe(200);
  return body.invoice.invoiceId as string;
}

async function typesIn(): Promise<string[]> {
  const types: string[] = [];
  for await (const events of instance.store.readAll()) types.push(...events.map(({ type }) => type));
  return types;
}
const parts = async () => (await typesIn()).filter(type => type === 'InvoiceLinesDrafted').length;

describe('an invoice in parts', () => {
  it('is returned by commands and reads like any other', async () => {
    const generated = await instance.act(GENERATE);
    expect(merchantsIn(generated)).toEqual(MERCHANTS);
    expect(await parts()).toBe(MERCHANTS.length - 1);
    const { invoiceId } = generated.body.invoice as { invoiceId: string };
    expect((await get(invoiceId)).body).toEqual(generated.body);

    const finalized = await instance.act({ action: 'finalize_invoice', invoiceId });
    expect(merchantsIn(finalized)).toEqual(MERCHANTS);
    expect((await get(invoiceId)).body).toEqual(finalized.body);
    const voided = await instance.act({ action: 'void_invoice', invoiceId });
    expect((await get(invoiceId)).body).toEqual(voided.body);

    const replacement = await instance.act(GENERATE);
    expect(replacement.body.invoice).toMatchObject({ replacesInvoiceId: invoiceId });
    expect(merchantsIn(replacement)).toEqual(MERCHANTS);
    expect(merchantsIn(await get(invoiceId))).toEqual(MERCHANTS);
  });

  it('can be rebuilt, and read as of any moment, also between its parts', async () => {
    const before = await instance.store.head();
    const invoiceId = await drafted();
    const draft = (await get(invoiceId)).body as object;
    const at = await instance.ledgerHead();
    for (let asOf = before; asOf < at; asOf++)
      expect(await get(invoiceId, { asOf })).toMatchObject({ status: 404 });
    await instance.act({ action: 'void_invoice', invoiceId });
    expect((await get(invoiceId, { asOf: at })).body).toEqual(draft);
    const rebuilt = await instance.engine.rebuild('invoices', {
      signal: new AbortController().signal,
      switchWhen: 'always',
    });
    expect(rebuilt).toMatchObject({ switched: true, comparison: { different: 0 } });
    expect(merchantsIn(await get(invoiceId))).toEqual(MERCHANTS);
  });

  it('has a proof that an export verifies', async () => {
    const folder = temporaryFolder();
    const invoiceId = await drafted();
    const { status, body } = await get(invoiceId, { proof: true });
    expect(status).toBe(200);
    const lines = await exportedLines(instance.store);
    const keys = readKeys(writeJson(join(folder, 'keys.json'), instance.ledgerKeys.published()));
    const verify = (exported: readonly string[]) =>
      verifyReport({
        file: writeLines(join(folder, 'export.ndjson'), exported),
        evidence: evidenceIn(body as Json)!,
        keys,
        checkpoints: [],
        hash: hashEvents,
      });
    await verify(lines);
    const inPart = lines.findIndex(line => line.includes('"InvoiceLinesDrafted"'));
    const changed = lines[inPart]!.replace('"totalFee":"1.50"', '"totalFee":"1.51"');
    await expect(verify(lines.with(inPart, changed))).rejects.toMatchObject({ outcome: 'altered' });
  });

  it.each([
    ['changed', (part: Document): Document | null => ({ ...part, lines: [] })],
    ['gone', (): Document | null => null],
  ])('is not shown when one of them is %s, until it is rebuilt', async (_how, change) => {
    const invoiceId = await drafted();
    await get(invoiceId);
    const collection = physicalName(INVOICE_LINES.name, 1);
    const { documents } = await instance.documents.find(collection, { limit: 10 });
    expect(documents).toHaveLength(MERCHANTS.length);
    for (const part of documents) {
      await instance.documents.commit({ writes: [{ collection, id: part._id, document: change(part) }] });
      expect(await get(invoiceId)).toMatchObject({
        status: 503,
        body: { code: 'ledger_damaged', invoiceId },
      });
      await instance.documents.commit({ writes: [{ collection, id: part._id, document: part }] });
      expect((await get(invoiceId)).status).toBe(200);
    }
    const [one] = documents;
    await instance.documents.commit({ writes: [{ collection, id: one!._id, document: change(one!) }] });
    await instance.engine.rebuild('invoices', {
      signal: new AbortController().signal,
      switchWhen: 'always',
    });
    const mended = await until(
      () => get(invoiceId),
      ({ status }) => status === 200,
    );
    expect(merchantsIn(mended)).toEqual(MERCHANTS);
  });
});

describe.each(crashPoints(APPENDS))('interrupted $when append $append', broken => {
  const isMade = broken.append === APPENDS && broken.when === 'after';
  const breakOff = async () => {
    const { status } = await crashes.during(broken, () => instance.act(GENERATE));
    expect(status).toBe(500);
    expect((await list()).body.total).toBe(isMade ? 1 : 0);
  };

  it('it is not found, and is completed by the next call, which repeats no part', async () => {
    await breakOff();
    const again = await instance.act(GENERATE);
    expect(again.status).toBe(isMade ? 409 : 200);
    expect(await parts()).toBe(MERCHANTS.length - 1);
    const { rows } = (await list()).body as { rows: { invoiceId: string }[] };
    expect(rows).toHaveLength(1);
    expect(merchantsIn(await get(rows[0]!.invoiceId))).toEqual(MERCHANTS);
  });

  it('it has later fees, and no line of the interrupted draft', async () => {
    await breakOff();
    await instance.record([collected('m-2', { id: 'later' }), collected('m-0')]);
    const again = await instance.act(GENERATE);
    expect(again.status).toBe(isMade ? 409 : 200);
    if (isMade) return;
    expect(again.body.invoice).toMatchObject({ feeCount: 6, totalFee: '9.00' });
    expect(merchantsIn(again)).toEqual(['m-0', ...MERCHANTS]);
    expect((await get(again.body.invoice.invoiceId as string)).body).toEqual(again.body);
  });

  it('it is completed by a retry with the same Idempotency-Key', async () => {
    const admin = await instance.token({ role: 'admin', secure: true });
    const keyed = (): Promise<Response> =>
      request(instance.app)
        .post('/api/instance-admin')
        .set({ Authorization: `Bearer ${admin}`, 'Idempotency-Key': 'k' })
        .send(GENERATE)
        .then(answer => answer);
    // The first append records the key.
    const { status } = await crashes.during({ ...broken, append: broken.append + 1 }, keyed);
    expect(status).toBe(500);
    clock += 30_000;
    const again = await keyed();
    expect(again.status).toBe(200);
    expect(merchantsIn(again)).toEqual(MERCHANTS);
    expect((await keyed()).body).toEqual(again.body);
    expect((await typesIn()).filter(type => type === 'InvoiceGenerated')).toHaveLength(1);
  });
});

it('is created once and complete by concurrent calls while fees are recorded', async () => {
  const fees = Array.from({ length: 20 }, (_, n) =>
    instance.record([collected(`m-${n % 6}`, { id: `while-${n}` })]),
  );
  const many = await Promise.all(Array.from({ length: 10 }, () => instance.act(GENERATE)));
  await Promise.all(fees);
  expect(many.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200, 409]));
  const { body } = await list();
  expect(body.total).toBe(1);
  const { status, body: whole } = await get(body.rows[0].invoiceId as string);
  expect(status).toBe(200);
  const counts = (whole.invoice.lines as { feeCount: number }[]).map(({ feeCount }) => feeCount);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(whole.invoice.feeCount);
});

it('too large for the event store is refused, and can be created once the limit allows it', async () => {
  room = 600;
  for (let time = 0; time < 2; time++)
    expect(await instance.act(GENERATE)).toMatchObject({ status: 413, body: { code: 'append_too_large' } });
  expect((await list()).body.total).toBe(0);
  room = Infinity;
  expect(merchantsIn(await get(await drafted()))).toEqual(MERCHANTS);
});
