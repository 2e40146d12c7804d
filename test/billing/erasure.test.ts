import { canonicalJson } from '../../contracts/json/canonical-json';
import { erasureStream } from '../../contracts/events/erasure';
import type { JsonObject } from '../../contracts/json/json';
import { erase } from '../../services/erasure/erase';
import { listErasures } from '../../services/erasure/list';
import { createHandle } from '../../services/commands/handle';
import { openInstance, type TestInstance } from './instance';

const REASON = 'Mrs Winterbottom of 12 Acacia Avenue asked for it';
const NOW = '2026-12-01T09:00:00.000Z';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance({ now: () => NOW });
  await instance.record([{ id: 'a' }]);
});
afterEach(() => instance.close());

const eraseSubject = (subject: string) =>
  erase({ keys: instance.subjects, handle: createHandle(instance) }, subject, {
    now: NOW,
    actor: 'operator',
  });

async function voided(reason?: string): Promise<string> {
  const { body } = await instance.act({ action: 'generate_invoice', billingPeriod: '2026-11' });
  const invoiceId = body.invoice.invoiceId as string;
  const answer = await instance.act({ action: 'void_invoice', invoiceId, ...(reason && { reason }) });
  expect(answer.body.invoice).toMatchObject({ voidReason: reason ?? null, voidReasonErased: false });
  return invoiceId;
}

const shown = async (invoiceId: string) => {
  const { body: one } = await instance.act({ action: 'get_invoice', invoiceId });
  const { body: all } = await instance.act({ action: 'list_invoices' });
  const row = (
    all.rows as { invoiceId: string; voidReason: string | null; voidReasonErased: boolean }[]
  ).find(each => each.invoiceId === invoiceId)!;
  const { voidReason, voidReasonErased, history } = one.invoice;
  expect(row).toMatchObject({ voidReason, voidReasonErased });
  expect(history.at(-1)).toMatchObject({
    event: 'voided',
    reason: voidReason,
    reasonErased: voidReasonErased,
  });
  return { voidReason, voidReasonErased };
};

async function ledger(): Promise<string> {
  const lines: string[] = [];
  for await (const page of instance.store.readAll())
    for (const event of page)
      if (!event.stream.startsWith('erasure-')) lines.push(canonicalJson(event as unknown as JsonObject));
  return lines.join('\n');
}

describe('the reason of a void', () => {
  it('is in no file in plain text, and is in answers unchanged', async () => {
    const invoiceId = await voided(REASON);
    expect(await shown(invoiceId)).toEqual({ voidReason: REASON, voidReasonErased: false });
    expect((await instance.bytes()).includes('Winterbottom')).toBe(false);
  });

  it('is in no answer after the erasure of its author, recorded responses included', async () => {
    const invoiceId = await voided(REASON);
    await shown(invoiceId);
    expect(await eraseSubject('admin@test')).toBe('erased');
    expect(await shown(invoiceId)).toEqual({ voidReason: null, voidReasonErased: true });
  });

  it('that is missing is not marked as erased', async () => {
    const invoiceId = await voided();
    await eraseSubject('admin@test');
    expect(await shown(invoiceId)).toEqual({ voidReason: null, voidReasonErased: false });
  });

  it('of another author is unchanged', async () => {
    const invoiceId = await voided(REASON);
    await eraseSubject('somebody else');
    expect(await shown(invoiceId)).toMatchObject({ voidReason: REASON });
  });

  it('that is recorded after an erasure can be read', async () => {
    const first = await voided(REASON);
    await eraseSubject('admin@test');
    const second = await voided('a second one');
    expect(await shown(first)).toMatchObject({ voidReason: null });
    expect(await shown(second)).toMatchObject({ voidReason: 'a second one' });
  });
});

describe('an erasure', () => {
  it('changes no event of the ledger, no total and no content hash', async () => {
    const invoiceId = await voided(REASON);
    const before = await ledger();
    const revenue = (await instance.act({ action: 'get_revenue' })).body;
    const { contentHash, totalFee } = (await instance.act({ action: 'get_invoice', invoiceId })).body.invoice;
    await eraseSubject('admin@test');
    expect(await ledger()).toBe(before);
    expect((await instance.act({ action: 'get_revenue' })).body).toEqual(revenue);
    expect((await instance.act({ action: 'get_invoice', invoiceId })).body.invoice).toMatchObject({
      contentHash,
      totalFee,
    });
  });

  it('is recorded once, with actor and time', async () => {
    await voided(REASON);
    expect(await eraseSubject('admin@test')).toBe('erased');
    expect(await eraseSubject('admin@test')).toBe('erased_before');
    expect(await eraseSubject('nobody')).toBe('nothing_to_erase');
    expect((await streamOf(erasureStream('admin@test'))).map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'PersonalTextErased', data: { subject: 'admin@test', times: 1, at: NOW, by: 'operator' } },
    ]);
    expect(await streamOf(erasureStream('nobody'))).toEqual([]);
    const listed = [];
    for await (const { subject, by } of listErasures(instance.store)) listed.push([subject, by]);
    expect(listed).toEqual([['admin@test', 'operator']]);
  });

  it('interrupted before it was recorded is recorded by the next attempt', async () => {
    await voided(REASON);
    await instance.subjects.destroy('admin@test');
    expect(await eraseSubject('admin@test')).toBe('erased');
    expect(await streamOf(erasureStream('admin@test'))).toHaveLength(1);
  });
});

async function streamOf(stream: string) {
  const events = [];
  for await (const event of instance.store.readStream(stream)) events.push(event);
  return events;
}
