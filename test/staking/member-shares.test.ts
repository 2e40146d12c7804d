import { Address } from '@ton/core';
import request from 'supertest';
import { NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import { CONTRACT_READS } from '../../contracts/http/ton/contracts';
import { quotaSetting } from '../../infra/config/settings';
import { elections } from '../../infra/program/features/elections';
import { staking } from '../../infra/program/features/staking';
import { openReplacedServer, type ReplacedServer } from '../doubles/replaced-server';
import type { LocalNetwork } from '../ton/network';
import { addressOf, friendly, startTestnet } from '../ton/testnet';
import type { LocalWallet } from '../../infra/devnet/ton/wallets';

const POOLS = NOMINATOR_POOLS.testnet.map(raw => friendly(Address.parseRaw(raw)));
const ZEROS = { balance: '0', pendingDeposit: '0', pendingWithdraw: '0', withdraw: '0' };
const [STRANGER, OTHER_STRANGER, HONEST] = ['203.0.113.1', '203.0.113.2', '192.0.2.1'];

let network: LocalNetwork;
let node: ReplacedServer;
let alice: LocalWallet;
let bob: LocalWallet;
let aheadMs = 0;

beforeAll(async () => {
  ({ network, alice, bob } = await startTestnet({
    watched: true,
    features: [elections, staking],
    settings: { [quotaSetting(CONTRACT_READS)]: '150', TRUSTED_PROXIES: '1' },
    clock: () => new Date(Date.now() + aheadMs),
    nodeOf: async url => (node = await openReplacedServer(url)).url,
  }));
});
afterAll(async () => {
  await network.close();
  await node.close();
});

const ask = async (from: string, member: string, pools: readonly string[]) => {
  const { status, body } = await request(network.app)
    .post('/staking/member/info')
    .set('X-Forwarded-For', from)
    .send({ isTestnet: true, address: member, pools });
  return { status, body: body as Record<string, unknown> };
};
/** So many contracts that say nothing of being a pool, as many as one request may name. */
const madeUp = (from: number) =>
  Array.from({ length: 100 }, (_, i) =>
    friendly(Address.parseRaw(`0:${(from + i).toString(16).padStart(64, 'e')}`)),
  );
/** Get methods of these contracts that the node was asked to run so far, whichever form of their addresses it was given. */
const runs = (pools: readonly string[]): number => {
  const asked = new Set(pools.map(pool => Address.parse(pool).toRawString()));
  return node.requests.filter(each => {
    const [, address = ''] = /^GET \/block\/\d+\/([^/]+)\/run\//.exec(each) ?? [];
    return address !== '' && asked.has(Address.parse(decodeURIComponent(address)).toRawString());
  }).length;
};

it('a stranger has as many stakes read as it may, however often it asks, and an honest member is answered', async () => {
  const pools = madeUp(0);
  for (let again = 0; again < 20; again += 1) {
    const { status, body } = await ask(STRANGER, addressOf(alice), pools);
    expect([status, Object.keys(body)]).toEqual([200, pools]);
  }
  // Two questions to each: whether it is a pool, and what the member has.
  expect(runs(pools)).toBe(2 * pools.length);
  const statuses: number[] = [];
  for (let again = 0; again < 10; again += 1) {
    aheadMs += 31_000;
    statuses.push((await ask(STRANGER, addressOf(alice), pools)).status);
    expect(await ask(HONEST, addressOf(bob), POOLS)).toMatchObject({
      status: 200,
      body: { [POOLS[0]!]: ZEROS },
    });
  }
  // Of 150 reads in a minute fifty were left.
  expect(statuses).toContain(429);
});

it('a stranger has as many accounts without a stake read as it may, and an honest member is answered', async () => {
  const account = (n: number): string => friendly(Address.parseRaw(`0:${n.toString(16).padStart(64, 'a')}`));
  expect((await ask(OTHER_STRANGER, account(0), madeUp(1_000))).status).toBe(200);
  let answered = 0;
  while (answered < 300 && (await ask(OTHER_STRANGER, account(answered), POOLS)).status === 200)
    answered += 1;
  // A request for the same again costs nothing; fifty were left.
  expect(answered).toBeGreaterThanOrEqual(50);
  expect(answered).toBeLessThan(300);
  expect((await ask(OTHER_STRANGER, account(answered - 1), POOLS)).status).toBe(200);
  expect(await ask(HONEST, addressOf(bob), POOLS)).toMatchObject({
    status: 200,
    body: { [POOLS[0]!]: ZEROS },
  });
});
