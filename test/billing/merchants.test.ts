import type { Merchant } from '../../services/billing/merchant/decider';
import { listMerchants } from '../../services/billing/merchant/lookup';
import { setMerchant } from '../../services/billing/merchant/set';
import type { EventStore } from '../../contracts/ports/event-store';
import { openInstance, type FeeInput, type TestInstance } from './instance';

class Crash extends Error {}
let crashing = false;
const breaking = (store: EventStore): EventStore => ({
  ...store,
  async append(stream, expected, events) {
    if (crashing && events[0]!.type === 'MerchantNamed') throw new Crash();
    return store.append(stream, expected, events);
  },
});

let instance: TestInstance;
beforeEach(async () => {
  crashing = false;
  instance = await openInstance({ wrapStore: breaking, now: () => '2026-11-21T00:00:00.000Z' });
});
afterEach(() => instance.close());

const metadata = { now: '2026-11-20T12:00:00.000Z', actor: 'ann' };
const set = async (merchantId: string, named: { name?: string; slug?: string }): Promise<Merchant> =>
  (await setMerchant(instance.deps, { merchantId, ...named }, metadata)).merchant;
/** Records fees without the name of their merchant by default. */
const record = (...fees: FeeInput[]) =>
  instance.record(fees.map(each => ({ merchant_name: undefined, merchant_slug: undefined, ...each })));
const rows = async (more: object = {}) =>
  (await instance.act({ action: 'list_fee_ledger', ...more })).body.rows as Record<string, string>[];
const names = async (more: object = {}) =>
  (
    (await instance.act({ action: 'get_revenue', ...more })).body.byMerchant as { merchant_name: string }[]
  ).map(({ merchant_name }) => merchant_name);

describe('merchants', () => {
  it('are listed with their latest names', async () => {
    await set('m-2', { name: 'Noon', slug: 'noon' });
    await set('m-1', { name: 'Ann', slug: 'ann' });
    expect(await set('m-2', { name: 'Afternoon' })).toEqual({
      merchant_id: 'm-2',
      name: 'Afternoon',
      slug: 'noon',
      at: metadata.now,
      by: 'ann',
    });
    expect(await listMerchants(instance.store)).toMatchObject([
      { merchant_id: 'm-1', name: 'Ann', slug: 'ann' },
      { merchant_id: 'm-2', name: 'Afternoon', slug: 'noon' },
    ]);
  });

  it('never share a slug, also not an earlier one', async () => {
    await set('m-1', { name: 'Ann', slug: 'ann' });
    await set('m-1', { slug: 'anna' });
    for (const slug of ['ann', 'anna'])
      await expect(set('m-2', { name: 'Other', slug })).rejects.toMatchObject({
        status: 409,
        code: 'merchant_slug_taken',
      });
    expect(await set('m-1', { slug: 'ann' })).toMatchObject({ slug: 'ann' });
    expect(await listMerchants(instance.store)).toHaveLength(1);
  });

  it('one of fifty concurrent callers gets a slug', async () => {
    const asked = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => set(`m-${i}`, { name: `No. ${i}`, slug: 'wanted' })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listMerchants(instance.store)).toHaveLength(1);
  });

  it('that are new need name and slug; a refused one reserves no slug', async () => {
    await expect(set('m-1', { slug: 'ann' })).rejects.toMatchObject({ code: 'merchant_not_found' });
    expect(await set('m-2', { name: 'Ann', slug: 'ann' })).toMatchObject({ slug: 'ann' });
  });

  it('have the name of the last row of a call that gives one, also of several and after rows without one', async () => {
    await set('m-1', { name: 'Ann', slug: 'ann' });
    const named = Array.from({ length: 40 }, (_, n) => ({
      id: `f-${n}`,
      merchant_name: `Name ${n}`,
      merchant_slug: 'ann',
    }));
    for (const { id, ...given } of named) await record({ id: `${id}-a` }, { id: `${id}-b`, ...given });
    expect(await names()).toEqual(['Name 39']);
    await record(...named.reverse());
    expect(await names()).toEqual(['Name 0']);
  });

  it('interrupted after the slug was reserved are named by the next attempt', async () => {
    crashing = true;
    await expect(set('m-1', { name: 'Ann', slug: 'ann' })).rejects.toThrow(Crash);
    crashing = false;
    expect(await listMerchants(instance.store)).toEqual([]);
    expect(await set('m-1', { name: 'Ann', slug: 'ann' })).toMatchObject({ name: 'Ann' });
  });
});

describe('a fee without a name', () => {
  it('is recorded with the current name, permanently', async () => {
    await set('m-1', { name: 'Ann', slug: 'ann' });
    await record({ id: 'a' });
    await set('m-1', { name: 'Anna', slug: 'anna' });
    await record({ id: 'b' }, { id: 'c', merchant_name: 'Third' });
    expect(await rows()).toMatchObject([
      { id: 'c', merchant_name: 'Third', merchant_slug: 'anna' },
      { id: 'b', merchant_name: 'Anna', merchant_slug: 'anna' },
      { id: 'a', merchant_name: 'Ann', merchant_slug: 'ann' },
    ]);
    expect(await rows({ merchantSlug: 'ann' })).toMatchObject([{ id: 'a' }]);

    // Sent again afterwards, it is unchanged.
    const again = await record({ id: 'a' });
    expect(again.body.results).toEqual([{ id: 'a', result: 'unchanged' }]);
  });

  it('of an unnamed merchant is refused, without affecting others', async () => {
    await set('m-1', { name: 'Ann', slug: 'ann' });
    const { body } = await record(
      { id: 'a', merchant_id: 'm-9' },
      { id: 'b', merchant_id: 'm-9', merchant_name: 'Half' },
      { id: 'c' },
    );
    const refused = { result: 'refused', problem: { status: 422, code: 'merchant_not_found' } };
    expect(body.results).toMatchObject([
      { id: 'a', ...refused },
      { id: 'b', ...refused },
      { id: 'c', result: 'recorded' },
    ]);
  });

  it('with names does not name its merchant for the next one, whose refusal says so', async () => {
    await record({ id: 'a', merchant_name: 'Ann', merchant_slug: 'ann' });
    const { body } = await record({ id: 'b' });
    expect(body.results[0].problem).toMatchObject({
      code: 'merchant_not_found',
      detail: expect.stringContaining('names that came with fees do not count'),
    });
  });

  it('is unchanged when it was recorded with names, also of a merchant for which none is set', async () => {
    await record({ id: 'a', merchant_name: 'Ann', merchant_slug: 'ann' });
    const { body } = await record(
      { id: 'a' },
      { id: 'a', merchant_name: 'Ann' },
      { id: 'a', merchant_name: 'Other' },
      { id: 'a', fee_amount: '9.99' },
    );
    expect(body.results).toMatchObject([
      { result: 'unchanged' },
      { result: 'unchanged' },
      { result: 'refused', problem: { code: 'fee_exists' } },
      { result: 'refused', problem: { code: 'fee_exists' } },
    ]);
  });

  it('does not change a drafted invoice when the merchant is renamed', async () => {
    await set('m-1', { name: 'Ann', slug: 'ann' });
    await record({ id: 'a' });
    const { body } = await instance.act({ action: 'generate_invoice', billingPeriod: '2026-11' });
    expect(body.invoice.lines).toMatchObject([{ merchantName: 'Ann', merchantSlug: 'ann' }]);
    await set('m-1', { name: 'Anna', slug: 'anna' });
    const { invoiceId } = body.invoice as { invoiceId: string };
    expect((await instance.act({ action: 'get_invoice', invoiceId })).body).toEqual(body);
  });
});

describe('revenue', () => {
  it('has the latest name, of the merchant or of the last recorded fee', async () => {
    await instance.record([{ id: 'a', merchant_name: 'Of a fee' }]);
    expect(await names()).toEqual(['Of a fee']);
    await set('m-1', { name: 'Its own', slug: 'own' });
    expect(await names()).toEqual(['Its own']);
    await instance.record([{ id: 'b', merchant_name: 'Of a later fee', merchant_slug: 'later' }]);
    expect(await names()).toEqual(['Of a later fee']);
    await instance.record([{ id: 'a', action: 'reverse' }]);
    expect(await names()).toEqual(['Of a later fee']);
    await set('m-1', { name: 'Its own again' });
    expect(await names()).toEqual(['Its own again']);
  });

  it('of a range of days has the latest name of all time', async () => {
    await instance.record([
      { id: 'a', merchant_name: 'Old' },
      { id: 'b', merchant_name: 'New', created_at: '2026-10-01T00:00:00Z' },
    ]);
    expect(await names({ billingPeriod: '2026-11' })).toEqual(['New']);
    expect(await names({ dateFrom: '2026-11-20', dateTo: '2026-11-20' })).toEqual(['New']);
  });
});
