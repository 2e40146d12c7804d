import { pino } from 'pino';
import { accountKey, type AccountRef } from '../../contracts/network/network';
import type { Document } from '../../contracts/ports/documents';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import type { WatchPurpose } from '../watch-account';
import { admitFirstReads } from './first-reads';

/** An admission, and the documents of the accounts that are watched. */
function admission(maxWatched: number, perMinute = 3) {
  const lines: string[] = [];
  const documents = new Map<string, Document>();
  const limits = createMemoryLimits({ first_reads: perMinute });
  const admit = admitFirstReads({
    limits: async () => limits,
    sources: async () => ip => `source of ${ip}`,
    views: {
      isOutdated: async () => false,
      count: async (_collection: string, { source }: { readonly source?: unknown } = {}) =>
        [...documents.values()].filter(each => source === undefined || each['source'] === source).length,
      getMany: async <D extends Document>(_collection: string, ids: readonly string[]) =>
        new Map(ids.flatMap(id => (documents.has(id) ? [[id, documents.get(id) as D] as const] : []))),
    },
    maxWatched,
    logger: pino({ level: 'warn' }, { write: line => lines.push(line) }),
  });
  const admitted = new Map<string, string>();
  let accounts = 0;
  return {
    lines,
    documents,
    async admit(ip: string, purpose: WatchPurpose = 'read'): Promise<string> {
      const address = `0:${String(++accounts).padStart(64, '0')}`;
      const account: AccountRef = { chain: 'ton', network: 'mainnet', address };
      const source = await admit(account, { ip, appendHeader: () => undefined }, purpose);
      admitted.set(accountKey(account), source);
      return accountKey(account);
    },
    fold: (key: string) => void documents.set(key, { _id: key, source: admitted.get(key)! }),
  };
}

const limitReached = (max: number) => ({
  code: 'watch_limit_reached',
  status: 503,
  detail: expect.stringContaining(`no more than ${max} accounts`) as string,
  headers: { 'Retry-After': '600' },
});
const LIMIT_REACHED = limitReached(2);

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
  const results = await Promise.allSettled(ips.map(ip => admit(ip)));
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

const succeeded = async (reads: readonly Promise<string>[]): Promise<string[]> =>
  (await Promise.allSettled(reads)).flatMap(each => (each.status === 'fulfilled' ? [each.value] : []));

it('gives a caller a quarter of what the others leave, whether the documents have it or not', async () => {
  const { admit, fold, lines } = admission(40, 100);
  const reads = (ip: string) => succeeded(Array.from({ length: 20 }, () => admit(ip)));
  const first = await reads('192.0.2.1');
  expect(first).toHaveLength(10);
  first.slice(5).forEach(fold);
  await expect(admit('192.0.2.1')).rejects.toMatchObject({
    ...LIMIT_REACHED,
    detail: expect.stringContaining('callers of this network') as string,
  });
  expect(await reads('192.0.2.2')).toHaveLength(7);
  expect(lines).toEqual([]);
});

it('admits devices that register beyond the limit of reads, each network for its share of a quarter more', async () => {
  const { admit, fold } = admission(8, 100);
  for (let n = 0; n < 8; n++) fold(await admit(`192.0.2.${n}`));
  await expect(admit('198.51.100.1')).rejects.toMatchObject(limitReached(8));
  await admit('198.51.100.1', 'registration');
  await expect(admit('198.51.100.1', 'registration')).rejects.toMatchObject({ code: 'watch_limit_reached' });
  await admit('198.51.100.2', 'registration');
  await expect(admit('198.51.100.3', 'registration')).rejects.toMatchObject({ code: 'watch_limit_reached' });
});
