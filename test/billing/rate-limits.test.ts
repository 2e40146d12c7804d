import request, { type Response } from 'supertest';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { quotaSetting } from '../../infra/config/settings';
import type { Quotas } from '../../infra/engines/rate-limits/quotas';
import { addressKey } from '../../contracts/http/address-key';
import { fee, openInstance, type TestInstance } from './instance';

let instance: TestInstance;
let finance: string;
const open = async (quotas: Quotas, trustedProxies = 0): Promise<void> => {
  const limited = Object.entries(quotas).map(([name, perMinute]) => [
    quotaSetting({ name }),
    String(perMinute),
  ]);
  instance = await openInstance({
    settings: { ...Object.fromEntries(limited), TRUSTED_PROXIES: String(trustedProxies) },
  });
  finance = await instance.token({ role: 'finance' });
};
afterEach(() => instance.close());

const act = (body: object, token: string | null = finance, headers: Record<string, string> = {}) => {
  const call = request(instance.app).post('/api/instance-admin').set(headers);
  if (token !== null) call.set('Authorization', `Bearer ${token}`);
  return call.send(body).then((answer: Response) => answer);
};
const REVENUE = { action: 'get_revenue' };
const statuses = (answers: readonly Response[]) => answers.map(({ status }) => status);
const times = async (count: number, call: () => Promise<Response>): Promise<Response[]> => {
  const answers: Response[] = [];
  for (let i = 0; i < count; i++) answers.push(await call());
  return answers;
};

describe('a caller', () => {
  it('has its quota in the response headers, and is refused beyond it', async () => {
    await open({ reads: 2 });
    const [first, second, third] = await times(3, () => act(REVENUE));
    expect(first!.headers).toMatchObject({
      'ratelimit-policy': '"reads";q=2;w=60',
      ratelimit: expect.stringMatching(/^"reads";r=1;t=\d+$/),
    });
    expect(second!.status).toBe(200);
    expect(third).toMatchObject({
      status: 429,
      type: 'application/problem+json',
      body: { code: 'rate_limited', 'violated-policies': ['reads'] },
    });
    const left = Number(third!.headers['retry-after']);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60);
    expect(third!.headers['ratelimit']).toBe(`"reads";r=0;t=${left}`);
  });

  it('has separate quotas for exports and writes, and other callers their own', async () => {
    await open({ reads: 1, exports: 1, writes: 1 });
    const admin = await instance.token({ role: 'admin', secure: true });
    for (const body of [
      REVENUE,
      { action: 'export_revenue_csv' },
      { action: 'generate_invoice', billingPeriod: '2026-11' },
    ]) {
      const [first, second] = await times(2, () => act(body, admin));
      expect([first!.status === 429, second!.status]).toEqual([false, 429]);
    }
    expect((await act(REVENUE, finance)).status).toBe(200);
    const platform = await instance.token({ role: 'admin', issuer: 'platform', secure: true });
    expect((await act(REVENUE, platform)).status).toBe(200);
  });

  it('is not charged for forbidden calls', async () => {
    await open({ writes: 1, reads: 1 });
    const viewer = await instance.token({ role: 'viewer' });
    expect(new Set(statuses(await times(5, () => act(REVENUE, viewer))))).toEqual(new Set([403]));
    expect((await act({ action: 'list_fee_ledger', page: 0 })).status).toBe(400);
    expect((await act(REVENUE)).status).toBe(200);
  });

  it('has no limit for fees unless one is set', async () => {
    await open({ address: 3, reads: 1, writes: 1 });
    const admin = await instance.token({ role: 'admin' });
    const post = (id: string) =>
      request(instance.app)
        .post('/api/fees')
        .set('Authorization', `Bearer ${admin}`)
        .send({ fees: [fee({ id })] });
    for (let i = 0; i < 30; i++) expect((await post(`f-${i}`)).status).toBe(200);
  });
});

describe('an address', () => {
  it('is counted by its calls with a valid token', async () => {
    await open({ address: 2 });
    expect(statuses(await times(3, () => act(REVENUE)))).toEqual([200, 200, 429]);
  });

  it('goes on with a valid token after any number of calls without one', async () => {
    await open({ address: 300, failures: 30 });
    const anonymous = await times(310, () => act(REVENUE, null));
    expect(new Set(statuses(anonymous.slice(30)))).toEqual(new Set([429]));
    expect((await act(REVENUE)).status).toBe(200);
  });

  it('is the nearest untrusted hop, whatever headers the caller sends', async () => {
    await open({ address: 1 }, 1);
    const from = (forwarded: string) => act(REVENUE, finance, { 'X-Forwarded-For': forwarded });
    expect(statuses([await from('10.0.0.1, 192.0.2.1'), await from('10.0.0.2, 192.0.2.1')])).toEqual([
      200, 429,
    ]);
    expect((await from('192.0.2.2')).status).toBe(200);
  });

  it('is not taken from a header when no proxy is trusted', async () => {
    await open({ address: 1 });
    const from = (forwarded: string) =>
      act(REVENUE, finance, {
        'X-Forwarded-For': forwarded,
        'X-Real-IP': forwarded,
        Forwarded: `for=${forwarded}`,
      });
    expect(statuses([await from('192.0.2.1'), await from('192.0.2.2')])).toEqual([200, 429]);
  });

  it('with too many failed authentications is refused, except with valid tokens', async () => {
    await open({ failures: 2 });
    const failed = await times(3, () => act(REVENUE, 'rubbish'));
    expect(statuses(failed)).toEqual([401, 401, 429]);
    expect(failed[0]!.headers['www-authenticate']).toContain('invalid_token');
    expect(failed[2]!.body['violated-policies']).toEqual(['failures']);
    expect((await act(REVENUE)).status).toBe(200);
    expect(statuses(await times(3, () => act(REVENUE, null)))).toEqual([429, 429, 429]);
  });

  it.each([
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['192.0.2.1', '64:ff9b::c000:201', true],
    ['64:ff9b::192.0.2.1', '64:ff9b::192.0.2.2', false],
    ['::ffff:0:192.0.2.1', '::ffff:0:192.0.2.2', false],
    ['fe80::1%eth0', 'fe80::2%eth1', true],
    ['2001:db8::1', '2001:db8:0:0:ffff::2', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['nonsense', '', true],
  ])('%s and %s count as one: %s', async (one, other, same) => {
    await open({});
    expect(addressKey(one) === addressKey(other)).toBe(same);
  });
});

it('drops the least recently seen addresses', async () => {
  await open({});
  const limits = createMemoryLimits({ address: 1 });
  for (let i = 0; i <= 50_000; i++) await limits.consume('address', `a-${i}`);
  expect((await limits.consume('address', 'a-50000'))?.exceeded).toBe(true);
  expect((await limits.consume('address', 'a-0'))?.exceeded).toBe(false);
});
