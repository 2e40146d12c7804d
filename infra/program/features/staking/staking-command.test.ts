import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commandLine } from '../../../../test/command-line';
import { stakingCommand } from './staking-command';

const POOL = 'EQCkR1cGmnsE45N4K0otPl5EnxnRakmGqeJUNua5fkWhales';
const MEMBER = 'EQALev4rq0_A9k7MePI3Nen6sOGX9lPlZIdVNbZndwm_13NT';
const { run } = commandLine(stakingCommand);

let server: Server;
let url: string;
let answer: { status: number; body: unknown };
let rounds: { status: number; body: unknown };
const asked: unknown[] = [];

/** A double of the program. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const isHealth = request.url === '/health/ready';
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      if (!isHealth) asked.push([request.url, JSON.parse(text)]);
      const ofPool = request.url!.endsWith('/pool/apy') ? rounds : answer;
      const { status, body } = isHealth ? { status: 200, body: { status: 'ready' } } : ofPool;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => void asked.splice(0));

it('asks the program as wallets do', async () => {
  rounds = { status: 200, body: [] };
  answer = { status: 200, body: { nominator: null, isFollowed: true } };
  expect(await run('staking', 'explain', POOL, '--period', 'week', '--url', url)).toBe(
    'no rounds that have ended\n',
  );
  expect(asked[0]).toEqual(['/staking-indexer/indexer/pool/apy', { address: POOL, fixedPeriod: 'week' }]);
});

it('prints for programs what was answered', async () => {
  answer = { status: 200, body: { nominator: null, isFollowed: true } };
  const text = await run('--json', 'staking', 'explain', POOL, '--member', MEMBER, '--url', url);
  expect(JSON.parse(text)).toEqual(answer.body);
  expect(asked).toEqual([['/staking-indexer/indexer/nominator', { pool: POOL, addr: MEMBER }]]);
});

it('says that a member has moved nothing', async () => {
  answer = { status: 200, body: { nominator: null, isFollowed: true } };
  expect(await run('staking', 'explain', POOL, '--member', MEMBER, '--url', url)).toBe(
    'no deposits or withdrawals\n',
  );
});

it.each([[[]], [['--member', MEMBER]]])('refuses a pool that is not followed %j', async words => {
  rounds = { status: 200, body: [] };
  answer = { status: 200, body: { nominator: null, isFollowed: false } };
  await expect(run('staking', 'explain', POOL, ...words, '--url', url)).rejects.toThrow(
    `${POOL}: the pool is not followed`,
  );
});

it('says what the program refused', async () => {
  rounds = { status: 503, body: { detail: 'The rounds have not been read yet.' } };
  await expect(run('staking', 'explain', POOL, '--url', url)).rejects.toThrow('have not been read yet');
});

it('refuses a pool that is no address', async () => {
  await expect(run('staking', 'explain', 'pool')).rejects.toThrow('pool: must be a TON address');
});
