import { invoiceNumberStream } from '../../contracts/events/invoice-number';
import { crashPoints, createCrashInjector, type CrashPoint } from './crash-points';
import { openInstance, type TestInstance } from './instance';

const crashes = createCrashInjector();
let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance({ wrapStore: crashes.wrap, now: () => '2026-12-01T09:00:00.000Z' });
  await instance.record([{ id: 'a' }, { id: 'b', created_at: '2026-10-20T00:00:00Z' }]);
});
afterEach(() => instance.close());

async function interrupted(broken: CrashPoint, body: object): Promise<void> {
  const { status } = await crashes.during(broken, () => instance.act(body));
  expect(status).toBe(500);
}

const generate = (billingPeriod = '2026-11') => ({ action: 'generate_invoice', billingPeriod });
const act = async (action: string, invoiceId: string) => instance.act({ action, invoiceId });
const drafted = async (billingPeriod?: string): Promise<string> =>
  (await instance.act(generate(billingPeriod))).body.invoice.invoiceId as string;

async function live(billingPeriod: string): Promise<string[]> {
  const { body } = await instance.act({ action: 'list_invoices', billingPeriod });
  return (body.rows as { invoiceId: string; status: string }[])
    .filter(({ status }) => status !== 'void')
    .map(({ invoiceId }) => invoiceId);
}

/** Every reserved number belongs to its invoice, and none is skipped. */
async function expectGaplessNumbers(expected: number): Promise<void> {
  const taken: { invoiceId: string; sequence: number; number: string }[] = [];
  for await (const { data } of instance.store.readStream(invoiceNumberStream('local', '2026')))
    taken.push(data as (typeof taken)[number]);
  expect(taken.map(({ sequence }) => sequence)).toEqual(Array.from({ length: expected }, (_, i) => i + 1));
  for (const { invoiceId, number } of taken)
    expect((await act('get_invoice', invoiceId)).body.invoice).toMatchObject({ number });
}

describe.each(crashPoints(2))('generate interrupted $when append $append', broken => {
  it('is completed by the next call', async () => {
    await interrupted(broken, generate());
    const again = await instance.act(generate());
    expect(again.status).toBe(broken.append === 2 && broken.when === 'after' ? 409 : 200);
    const [invoiceId, ...others] = await live('2026-11');
    expect(others).toEqual([]);
    expect(again.body.invoice?.invoiceId ?? again.body.invoiceId).toBe(invoiceId);
  });

  it('is completed once by concurrent calls', async () => {
    await interrupted(broken, generate());
    const many = await Promise.all(Array.from({ length: 10 }, () => instance.act(generate())));
    const made = many.filter(({ status }) => status === 200);
    expect(made).toHaveLength(broken.append === 2 && broken.when === 'after' ? 0 : 1);
    expect(await live('2026-11')).toHaveLength(1);
  });
});

describe.each(crashPoints(3))('finalize interrupted $when append $append', broken => {
  it('is completed by the next call', async () => {
    const invoiceId = await drafted();
    await interrupted(broken, { action: 'finalize_invoice', invoiceId });
    const again = await act('finalize_invoice', invoiceId);
    expect(again.status).toBe(broken.append === 3 && broken.when === 'after' ? 409 : 200);
    await expectGaplessNumbers(1);
    await act('finalize_invoice', await drafted('2026-10'));
    await expectGaplessNumbers(2);
  });

  it('followed by a void leaves no number without an invoice', async () => {
    const invoiceId = await drafted();
    await interrupted(broken, { action: 'finalize_invoice', invoiceId });
    const { status, body } = await act('void_invoice', invoiceId);
    expect(status).toBe(200);
    const begun = broken.append > 1 || broken.when === 'after';
    expect(body.invoice).toMatchObject({ status: 'void', number: begun ? 'INV-202612-0001' : null });
    await act('finalize_invoice', await drafted());
    await expectGaplessNumbers(begun ? 2 : 1);
  });
});

describe.each(crashPoints(2))('void interrupted $when append $append', broken => {
  it('is completed by the next call, or by generate', async () => {
    const invoiceId = await drafted();
    await interrupted(broken, { action: 'void_invoice', invoiceId });
    if (broken.append === 1 && broken.when === 'before')
      expect((await act('void_invoice', invoiceId)).status).toBe(200);
    const replacement = await instance.act(generate());
    expect(replacement).toMatchObject({ status: 200, body: { invoice: { replacesInvoiceId: invoiceId } } });
    expect(await live('2026-11')).toEqual([replacement.body.invoice.invoiceId]);
  });

  it('frees the period when it is retried', async () => {
    const invoiceId = await drafted();
    await interrupted(broken, { action: 'void_invoice', invoiceId });
    await act('void_invoice', invoiceId);
    expect((await instance.act(generate())).status).toBe(200);
    expect(await live('2026-11')).toHaveLength(1);
  });
});
