import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DEMO } from '../../../../../contracts/http/billing/demonstration';
import { FEE_CATEGORY, feeEvents } from '../../../../../contracts/events/fee';
import type { EventStore } from '../../../../../contracts/ports/event-store';
import { counted } from '../../../../../contracts/text/counted';
import { DEMO_MERCHANTS, demoFees, lastMonths } from './fees';

/** What a demonstration has recorded. */
export interface Demonstration {
  readonly merchants: readonly string[];
  readonly fees: number;
  readonly months: readonly string[];
  /** The number of the finalized one. */
  readonly invoice: string;
  readonly settlements: number;
}

const page = z.object({ total: z.int() });
const problem = z.object({ code: z.string(), detail: z.string().optional() });
const invoiceAnswer = z.object({
  invoice: z.object({ invoiceId: z.string(), number: z.string().nullable() }),
});
const settlementsAnswer = z.object({
  settlements: z.array(z.object({ settlementId: z.string(), merchantId: z.string() })),
});

const RETRY_MS = 500;
const TIMEOUT_MS = 60_000;

/**
 * Looks before a program starts what `recordDemonstration` would find. Any fees may have followed a demonstration: the first one tells.
 * @param reset the command line that deletes all data, for the error
 * @throws Error where the ledger has fees of its own alone
 */
export async function assertMayDemonstrate(store: Pick<EventStore, 'readAll'>, reset: string): Promise<void> {
  const first = await firstFee(store);
  if (first && !DEMO_MERCHANTS.some(({ slug }) => slug === first.merchant_slug))
    throw ledgerHas('fees of its own', reset);
}

/** @returns null of a ledger that has none */
export async function firstFee(
  store: Pick<EventStore, 'readAll'>,
): Promise<{ readonly merchant_slug: string } | null> {
  for await (const [first] of store.readAll({ categories: [FEE_CATEGORY], limit: 1 }))
    if (first) return feeEvents.read(first).data;
  return null;
}

const ledgerHas = (what: string, reset: string): Error =>
  new Error(
    `the ledger has ${what}, and a demonstration is recorded before any others: go on without it, or use another DATA_DIR for it (\`${reset}\` deletes all data of this one while the program is stopped)`,
  );

/**
 * Records merchants, the fees of the last two months, an invoice of the older one and its settlements, and a draft of an invoice
 * of the newer one, all through the API that everybody uses.
 * @param of `token` is of a finance user in a secure session, `reset` the command line that deletes all data, for the error
 * @returns null where the demonstration has been recorded before
 * @throws Error where the ledger has fees of its own alone, and when the program does not answer
 */
export async function recordDemonstration(
  { url, token, reset }: { readonly url: string; readonly token: string; readonly reset: string },
  now: Date,
): Promise<Demonstration | null> {
  const { post } = client(url, token);
  const administer = (action: string, fields: object = {}) =>
    post('/api/instance-admin', { action, ...fields });
  /** With ids that follow from the key. */
  const generate = (what: 'invoice' | 'settlement', billingPeriod: string, key: string) =>
    post('/api/instance-admin', { action: `generate_${what}`, billingPeriod }, key);
  const countFees = async (merchantSlug?: string): Promise<number> =>
    page.parse(await administer('list_fee_ledger', merchantSlug === undefined ? {} : { merchantSlug })).total;

  if ((await countFees(DEMO.merchant.slug)) > 0) return null;
  const own = await countFees();
  if (own > 0) throw ledgerHas(`${counted(own, 'fee')} of its own`, reset);

  for (const merchant of DEMO_MERCHANTS) await administer('set_merchant', merchant);
  const months = lastMonths(now);
  const fees = months.flatMap(demoFees);
  await post('/api/fees', { fees });
  const [older, newer] = months;
  const { invoice } = invoiceAnswer.parse(await generate('invoice', older, 'finalized'));
  const { number } = invoiceAnswer.parse(
    await administer('finalize_invoice', { invoiceId: invoice.invoiceId }),
  ).invoice;
  await generate('invoice', newer, 'draft');
  const { settlements } = settlementsAnswer.parse(await generate('settlement', older, 'settlements'));
  const paid = settlements.find(({ merchantId }) => merchantId === DEMO.merchant.merchantId)!;
  await administer('mark_settlement_paid', {
    settlementId: paid.settlementId,
    reference: 'Demonstration: nothing was paid',
  });
  return {
    merchants: DEMO_MERCHANTS.map(({ name }) => name),
    fees: fees.length,
    months,
    invoice: number!,
    settlements: settlements.length,
  };
}

/** Each call sees what the one before has written. What is not ready yet is asked again for a minute. */
function client(url: string, token: string) {
  let position: string | null = null;
  return {
    async post(path: string, body: object, key?: string): Promise<unknown> {
      const deadline = Date.now() + TIMEOUT_MS;
      for (;;) {
        const response = await fetch(`${url}${path}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            ...(position !== null && { 'x-min-position': position }),
            ...(key !== undefined && { 'idempotency-key': key }),
          },
          body: JSON.stringify(body),
        });
        const answer: unknown = await response.json();
        if (response.ok) {
          position = response.headers.get('x-ledger-position') ?? position;
          return answer;
        }
        const { code, detail = '' } = problem.parse(answer);
        if (response.status !== 503 || Date.now() > deadline) throw new Error(`${path}: ${detail} (${code})`);
        await sleep(RETRY_MS);
      }
    },
  };
}
