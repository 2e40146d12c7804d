import request from 'supertest';
import { createTestApp } from '../../../test/app';
import { clientOf, quietDevnet } from '../../../test/devnet/ton';
import { tonControl } from './control';
import type { TonDevnet } from './devnet';

let devnet: TonDevnet;
beforeAll(async () => {
  devnet = await quietDevnet();
});
afterAll(() => devnet.close());

const post = (body: object) =>
  request(createTestApp([], { routers: [tonControl(new Map([['testnet', devnet]]))] }))
    .post('/devnet/ton/advance')
    .send(body);

it('moves the clock of a local network ahead', async () => {
  const client = clientOf(devnet.url);
  const { now } = await client.getLastBlock();
  const { status, body } = await post({ network: 'testnet', seconds: 65_536 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ network: 'testnet', seconds: 65_536 });
  expect(body.utime).toBeGreaterThanOrEqual(now + 65_536);
  expect(Date.parse(body.time)).toBe(body.utime * 1000);
  expect((await client.getLastBlock()).now).toBeGreaterThanOrEqual(body.utime);
});

it.each([
  [{ network: 'testnet', seconds: 0 }, '/body/seconds'],
  [{ network: 'testnet', seconds: 1.5 }, '/body/seconds'],
  [{ network: 'testnet', seconds: 31_536_001 }, '/body/seconds'],
  [{ network: 'testnet' }, '/body/seconds'],
  [{ network: 'devnet', seconds: 1 }, '/body/network'],
  [{ network: 'testnet', seconds: 1, rounds: 2 }, '/body/rounds'],
])('%j is refused, naming %s', async (body, pointer) => {
  const answer = await post(body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].pointer).toBe(pointer);
});

it('names the field when the time on the chain would end', async () => {
  const app = createTestApp([], {
    routers: [
      tonControl(
        new Map([['testnet', { passTime: () => Promise.reject(new RangeError('Unix time ends in 2106')) }]]),
      ),
    ],
  });
  const answer = await request(app).post('/devnet/ton/advance').send({ network: 'testnet', seconds: 1 });
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/body/seconds']);
});

it('a network that is not local is not found', async () => {
  expect((await post({ seconds: 1 })).status).toBe(404);
});
