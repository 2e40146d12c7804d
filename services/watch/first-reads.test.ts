import { pino } from 'pino';
import { accountKey, type AccountRef } from '../../contracts/network/network';
import type { Document } from '../../contracts/ports/documents';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { admitFirstReads } from './first-reads';

const QUOTAS = {
  first_reads: 3,
};

/** An admission, and the documents of the accounts that are watched. */
function admission(maxWatched: number) {
  const lines: string[] = [];
  const documents = new Map<string, Document>();
  const limits = createMemoryLimits(QUOTAS);
  const admit = admitFirstReads({
    limits: async () => limits,
    views: {
      count: async () => documents.size,
      getMany: async <D extends Document>(_collection: string, ids: readonly string[]) =>
        new Map(ids.flatMap(id => (documents.has(id) ? [[id, documents.get(id) as D] as const] : []))),
    },
    maxWatched,
    logger: pino({ level: 'warn' }, { write: line => lines.push(line) }),
  });
  let accounts = 0;
  return {
    lines,
    documents,
    async admit(ip: string): Promise<string> {
      const address = `0:${String(++accounts).padStart(64, '0')}`;
      const account: AccountRef = { chain: 'ton', network: 'mainnet', address };
      await admit(account, { ip, appendHeader: () => undefined });
      return accountKey(account);
    },
    fold: (key: string) => void documents.set(key, { _id: key }),
  };
}

const LIMIT_REACHED = {
  code: 'watch_limit_reached',
  status: 503,
  detail: expect.stringContaining('no more than 2 accounts'),
  headers: { 'Retry-After': '600' },
};

it('limits the first reads of an address, and not those of others', async () => {
  const { admit } = admission(0);
  for (let n = 0; n < 3; n++) await admit('192.0.2.1');
  await expect(admit('192.0.2.1')).rejects.toMatchObject({
    code: 'rate_limited',
    extra: { 'violated-policies': ['first_reads'] },
  });
  await admit('192.0.2.2');
});

it('admits none while as many accounts are watched as may be, and warns once', async () => {
  const { admit, fold, lines } = admission(2);
  fold(await admit('192.0.2.1'));
  fold(await admit('192.0.2.2'));
  for (const ip of ['192.0.2.3', '192.0.2.4']) await expect(admit(ip)).rejects.toMatchObject(LIMIT_REACHED);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('MAX_WATCHED_ACCOUNTS');
});

it('counts what it has admitted although the documents do not have it yet, also of concurrent reads', async () => {
  const { admit } = admission(2);
  const ips = Array.from({ length: 40 }, (_, n) => `192.0.2.${n}`);
  const results = await Promise.allSettled(ips.map(admit));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
});

it('admits again once accounts were forgotten', async () => {
  const { admit, fold, documents } = admission(2);
  const keys = [await admit('192.0.2.1'), await admit('192.0.2.2')];
  keys.forEach(fold);
  await expect(admit('192.0.2.3')).rejects.toMatchObject(LIMIT_REACHED);
  documents.delete(keys[0]!);
  await admit('192.0.2.3');
});
