import { join } from 'node:path';
import { eventId } from '../../contracts/events/event-id';
import { feeEvents, feeStream } from '../../contracts/events/fee';
import { INVOICE_CATEGORY } from '../../contracts/events/invoice';
import type { Invoice } from '../../contracts/http/billing/responses';
import type { Json } from '../../contracts/json/json';
import type { Documents } from '../../contracts/ports/documents';
import { MAX_APPEND_BYTES, type EventStore } from '../../contracts/ports/event-store';
import { evidenceIn, readKeys } from '../../infra/verifier/evidence';
import { hashEvents } from '../../infra/verifier/hash-events';
import { verifyReport } from '../../infra/verifier/verify-report';
import { INVOICE_LINES } from '../../projections/billing/invoices';
import { contentHash } from '../../services/billing/invoice/content-hash';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { exportedLines, writeJson, writeLines } from '../proofs/exported-ledger';
import { openInstance, type TestInstance } from './instance';

/** Enough for more bytes than one append takes. */
const MERCHANTS = 3_000;
const TYPES = ['creation', 'swap'];
const LINES = MERCHANTS * TYPES.length;
const MONTH = { action: 'generate_invoice', billingPeriod: '2026-11' };
const FOLDING_MS = 300_000;
/** Fees in one request. */
const AT_ONCE = 500;

const merchant = (n: number): string => `merchant-${String(n).padStart(5, '0')}`;

/** Records a month with a collected fee for each line of its invoice. */
async function recordMonth(store: EventStore): Promise<void> {
  const fees = Array.from({ length: LINES }, (_, n) => ({ n: n >> 1, fee_type: TYPES[n & 1]! }));
  for (let at = 0; at < LINES; at += AT_ONCE)
    await Promise.all(
      fees.slice(at, at + AT_ONCE).map(({ n, fee_type }) => {
        const id = `${merchant(n)}-${fee_type}`;
        const data = {
          id,
          fee_type,
          fee_amount: `${n}.000000000000000001`,
          gross_amount: `${n * 100}.00`,
          billing_period: '2026-11',
          day: '2026-11-20',
          created_at: '2026-11-20T11:00:00.000Z',
          merchant_id: merchant(n),
          merchant_name: `Espresso & Söhne, Nº ${n}`,
          merchant_slug: merchant(n),
          collection_status: 'collected' as const,
        };
        const event = feeEvents.write({ type: 'FeeRecorded', data }, eventId('month', id, 0), {});
        // A busy machine may not answer so many in time; an append may be repeated.
        return until(() => store.append(feeStream(id), 'no_stream', [event]).then(() => true));
      }),
    );
}

/**
 * Tests an invoice with more lines than fit into one append.
 * @param open opens empty engines; they are closed with the instance
 */
export function describeLargeInvoice(
  engines: string,
  open?: () => Promise<{ readonly store: EventStore; readonly documents: Documents }>,
): void {
  describe(`an invoice of ${LINES} lines on ${engines}`, () => {
    let instance: TestInstance;
    let folder: string;
    beforeAll(async () => {
      folder = temporaryFolder();
      instance = await openInstance(open ? { engines: await open() } : {});
      await recordMonth(instance.store);
      await until(
        () => instance.act({ action: 'get_revenue' }),
        ({ status }) => status === 200,
        FOLDING_MS,
      );
    }, FOLDING_MS);
    afterAll(() => instance.close());

    const invoiceIn = ({ body }: { body: unknown }) => (body as { invoice: Invoice }).invoice;
    const get = (invoiceId: string, more: object = {}) =>
      until(
        () => instance.act({ action: 'get_invoice', invoiceId, ...more }),
        ({ status }) => status === 200,
        FOLDING_MS,
      );

    /** No event and no document grows with the number of merchants. */
    async function expectNothingLarge(): Promise<void> {
      const most = 300 * 1024;
      for await (const events of instance.store.readAll({ categories: [INVOICE_CATEGORY] }))
        for (const { data } of events) expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(most);
      let lines = 0;
      for await (const page of instance.deps.views.scan(INVOICE_LINES.name, { limit: 4 }))
        for (const document of page) {
          expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(most);
          lines += (document['lines'] as unknown[]).length;
        }
      expect(lines).toBe(2 * LINES);
    }

    it(
      'is created, read, finalized, voided, replaced and verified offline',
      async () => {
        const generated = await instance.act(MONTH);
        expect(generated.status).toBe(200);
        const draft = invoiceIn(generated);
        expect(draft.lines).toHaveLength(LINES);
        expect(Buffer.byteLength(JSON.stringify(draft.lines))).toBeGreaterThan(MAX_APPEND_BYTES);
        expect(draft.lines[LINES - 1]).toMatchObject({
          merchantId: merchant(MERCHANTS - 1),
          feeType: 'swap',
        });
        expect(contentHash(draft)).toBe(draft.contentHash);
        const { invoiceId } = draft;
        expect(invoiceIn(await get(invoiceId))).toEqual(draft);
        expect(await instance.act(MONTH)).toMatchObject({ status: 409, body: { invoiceId } });

        const finalized = await instance.act({ action: 'finalize_invoice', invoiceId });
        expect(invoiceIn(finalized)).toMatchObject({ status: 'finalized', contentHash: draft.contentHash });
        const asOf = Number(finalized.headers['x-ledger-position']);
        expect((await instance.act({ action: 'void_invoice', invoiceId })).status).toBe(200);
        const replaced = await instance.act(MONTH);
        expect(replaced).toMatchObject({ status: 200 });
        const replacement = invoiceIn(replaced);
        expect(replacement).toMatchObject({ replacesInvoiceId: invoiceId, totalFee: draft.totalFee });
        expect(replacement.lines).toEqual(draft.lines);
        expect(invoiceIn(await get(invoiceId, { asOf })).lines).toEqual(draft.lines);

        const { body } = await get(replacement.invoiceId, { proof: true });
        await verifyReport({
          file: writeLines(join(folder, 'export.ndjson'), await exportedLines(instance.store)),
          evidence: evidenceIn(body as Json)!,
          keys: readKeys(writeJson(join(folder, 'keys.json'), instance.ledgerKeys.published())),
          checkpoints: [],
          hash: hashEvents,
        });
        await expectNothingLarge();
      },
      FOLDING_MS,
    );
  });
}
