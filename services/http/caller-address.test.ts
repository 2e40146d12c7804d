import { pino } from 'pino';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { createTestApp } from '../../test/app';
import { bind } from './binding';

const CALLS = { name: 'calls', of: 'calls', by: 'address' as const, perMinute: 2 };

const echoed = endpoint({
  group: 'Toy',
  method: 'GET',
  path: '/echoed',
  summary: 'Echoes the address of its caller',
  rateLimit: CALLS,
  response: z.object({ ip: z.string() }),
});

function open({ perMinute = 0, lines = [] as string[] } = {}) {
  return createTestApp([bind(echoed, async ({ ip }) => ({ ip }))], {
    logger: pino({ level: 'warn' }, { write: line => void lines.push(line) }),
    trustedProxies: 1,
    limits: createMemoryLimits({ calls: perMinute }),
  });
}

const ask = (app: ReturnType<typeof open>, entry: string) =>
  request(app).get('/echoed').set('X-Forwarded-For', entry);

it.each([
  ['198.51.100.2', '198.51.100.2'],
  ['198.51.100.2:1234', '198.51.100.2'],
  ['[2001:db8::1]:80', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['"[2001:db8::1]:80"', '2001:db8::1'],
  ['::ffff:198.51.100.2', '::ffff:198.51.100.2'],
])('the caller that a proxy reports as %s is %s', async (entry, ip) => {
  expect((await ask(open(), entry).expect(200)).body).toEqual({ ip });
});

it('two callers whose proxy reports their ports have a quota each', async () => {
  const app = open({ perMinute: 2 });
  for (const port of [1_001, 1_002]) await ask(app, `198.51.100.2:${port}`).expect(200);
  await ask(app, '198.51.100.2:1003').expect(429);
  await ask(app, '198.51.100.3:1001').expect(200);
  await ask(app, '[2001:db8::1]:80').expect(200);
});

it.each(['unknown', '_hidden', '198.51.100.2:port', '1', '198.51.100'])(
  'who is reported as %s counts as the proxy, and the log says so',
  async entry => {
    const lines: string[] = [];
    const app = open({ lines });
    const { body } = await ask(app, entry).expect(200);
    expect(body.ip).toMatch(/127\.0\.0\.1$/);
    await ask(app, entry).expect(200);
    expect(lines.filter(line => line.includes('not an address'))).toHaveLength(1);
  },
);
