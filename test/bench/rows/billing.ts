import { request } from 'undici';
import { issueLocalToken } from '../../../infra/program/commands/local-token';
import { readConfig } from '../../../infra/program/settings/config';
import { run } from '../child';
import { figure, median, once, paired } from '../figure';
import { withoutNetworks } from '../ports';
import type { Row } from '../row';

/** That an export contains. */
const MAX_ROWS = 10_000;
const AT_ONCE = 50;

interface Exported {
  /** Milliseconds until the first byte of the body, and until the last. */
  readonly first: number;
  readonly last: number;
}

/**
 * CSV exports of the maximum size, all different, so that none is cached; and concurrent requests to invoice one month,
 * which must create one invoice. Over HTTP, from a process of its own.
 */
export const row: Row = async ({ sized, folder, say }) => {
  const env = {
    ...process.env,
    ...(await withoutNetworks()),
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT_EXPORTS: '0',
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_ADDRESS: '0',
  };
  // More fees than an export contains.
  const events = sized({ full: 20_000, quick: 20_000, smallest: 1_000 });
  const rows = Math.min(MAX_ROWS, (events * 3) / 4);
  say(`filling a store with ${events} events`);
  const prepared = run('programs/prepare-ledger', [String(events)], { env });
  await prepared.next();
  await prepared.ended();
  const server = run('programs/serve', [], { env });
  const url = await server.next<string>();
  const token = await issueLocalToken(readConfig(env), {
    issuer: 'instance',
    role: 'admin',
    secure: true,
    ttl: 3_600,
    subject: 'bench',
  });
  const act = (body: object) =>
    request(`${url}/api/instance-admin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });

  let exports = 0;
  const exportOnce = async (): Promise<Exported> => {
    const dateFrom = new Date(Date.UTC(1990, 0, 1 + exports++)).toISOString().slice(0, 10);
    const began = performance.now();
    const { statusCode, body } = await act({ action: 'export_revenue_csv', dateFrom });
    const parts: Buffer[] = [];
    let first: number | null = null;
    for await (const part of body) {
      first ??= performance.now() - began;
      parts.push(part as Buffer);
    }
    const last = performance.now() - began;
    const { rowCount } = JSON.parse(Buffer.concat(parts).toString()) as { rowCount: number };
    if (statusCode !== 200 || rowCount !== rows) throw new Error(`${statusCode}, ${rowCount} rows`);
    return { first: first!, last };
  };
  const memory = (): Promise<number> => server.ask<number>('memory');

  say('exporting');
  const times = sized({ full: 150, quick: 60, smallest: 2 });
  for (let i = 0; i < times; i++) await exportOnce();
  const early = await memory();
  const exported: Exported[] = [];
  for (let i = 0; i < times; i++) exported.push(await exportOnce());
  const late = await memory();

  say('invoicing');
  const asked = { action: 'generate_invoice', billingPeriod: '2024-01' };
  const outcomes = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const { statusCode, body } = await act(asked);
      await body.dump();
      return statusCode;
    }),
  );
  const made = outcomes.filter(status => status === 200).length;
  const refused = outcomes.filter(status => status === 409).length;
  if (made + refused !== AT_ONCE || made === 0) throw new Error(`generate_invoice: ${outcomes.join()}`);
  await server.stop();

  const firsts = exported.map(({ first }) => first);
  return [
    figure(
      {
        what: `CSV of ${rows.toLocaleString('en')} rows: first byte, to the last`,
        unit: 'ms',
        note: `the whole ${median(exported.map(({ last }) => last)).toFixed(1)} ms`,
      },
      paired(
        firsts,
        exported.map(({ last }) => last),
      ),
      { of: 'value', atMost: 20 },
    ),
    figure(
      { what: `CSV: memory after ${2 * times}, to that after ${times}`, unit: 'MiB' },
      once(late / 2 ** 20, early / 2 ** 20),
      { of: 'ratio', atMost: 1.15 },
    ),
    figure({ what: `${AT_ONCE} generate_invoice at once: made, to one`, unit: 'invoices' }, once(made, 1), {
      of: 'value',
      atMost: 1,
    }),
  ];
};
