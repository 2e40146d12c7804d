import { ElectorContract, type TonClient4 } from '@ton/ton';
import request from 'supertest';
import type { TonClient } from '../../contracts/ports/ton-client';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import { elections } from '../../infra/program/features/elections';
import { tonElectionObservation } from '../../indexers/ton/observations/elections';
import { clientOf, quietDevnet, silent } from '../devnet/ton';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';

const ROUND = 65_536;
const stop = new AbortController();
/** The clock of the program, which decides whether a reading is stale. */
let time = Date.now();
let isReachable = true;
let devnet: TonDevnet;
let chain: TonClient4;
let program: TestProgram;

/** A client of the local network, whose node is out of reach while `isReachable` is false. */
function interruptible(client: TonClient): TonClient {
  return {
    ...client,
    getLastBlock: () =>
      isReachable ? client.getLastBlock() : Promise.reject(new Error('connection refused')),
  };
}

beforeAll(async () => {
  devnet = await quietDevnet({ network: 'testnet' });
  chain = clientOf(devnet.url);
  const client = interruptible(createTonClient({ urls: [devnet.url], logger: silent, signal: stop.signal }));
  program = await startTestProgram({
    features: [elections],
    settings: { TON_RPC_URL_TESTNET: devnet.url },
    clients: { ton: () => client },
    clock: () => new Date(time),
  });
});
afterAll(async () => {
  stop.abort();
  await program.stop();
  await devnet.close();
});

const get = (path: string): request.Test => request(program.app).get(`/net/${path}`);
const electionsOf = async (network: string): Promise<number[]> =>
  (await get(`${network}/elections/latest`).expect(200)).body.elections;

it('lists the elections of the elector under both names of the test network', async () => {
  const past = await chain.open(ElectorContract.create()).getPastElectionsList();
  const listed = await electionsOf('sandbox');
  expect(listed).toEqual(past.map(({ id }) => id));
  expect(await electionsOf('testnet')).toEqual(listed);
  const { body } = await get('testnet/elections/latest').expect(200);
  expect(body).toMatchObject({ currentElection: listed.at(-1), openElection: listed.at(-1)! + ROUND });
});

it('serves each of them as the elector holds it, with exact stakes', async () => {
  const past = await chain.open(ElectorContract.create()).getPastElections();
  expect(past).toHaveLength(5);
  for (const { id, unfreezeAt, stakeHeld, totalStake, bonuses } of past) {
    const { body } = await get(`sandbox/elections/${id}`).expect(200);
    expect(body.election).toEqual({
      id,
      unfreezeAt,
      stakeHeld,
      totalStake: totalStake.toString(),
      bonuses: bonuses.toString(),
    });
  }
});

it('computes the APY from the last round that has ended, not from the present one', async () => {
  const { body } = await get('testnet/elections/latest/apy').expect(200);
  const [, , , ended] = await chain.open(ElectorContract.create()).getPastElections();
  expect(body.electionId).toBe(ended!.id);
  const { totalStake, bonuses } = ended!;
  const from = { totalStake: String(totalStake), bonuses: String(bonuses), roundSeconds: ROUND };
  expect(body.of).toEqual({ ...from, seqno: expect.any(Number) });
  const rate = Number(ended!.bonuses) / Number(ended!.totalStake);
  expect(Number.parseFloat(body.apy)).toBeCloseTo(100 * ((1 + rate) ** (31_536_000 / ROUND / 2) - 1), 3);
});

it('answers 404 for an election that was never held, and 400 for what is no id', async () => {
  const { body } = await get('sandbox/elections/12345').expect(404);
  expect(body).toMatchObject({ code: 'election_not_found', ok: false });
});

it.each([
  ['sandbox/elections/soon', 'id'],
  ['sandbox/elections/99999999999', 'id'],
  ['devnet/elections/latest', 'network'],
  ['devnet/elections/latest/apy', 'network'],
  ['Mainnet/elections/12345', 'network'],
])('answers 400 to %s and names %s', async (path, field) => {
  const { body } = await get(path).expect(400);
  expect(body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: `/path/${field}` }] });
});

it('knows elections that the elector has forgotten, though nobody read them, and new ones as soon as they are read', async () => {
  const known = await electionsOf('testnet');
  const forgotten = known[0]!;
  const election = program.deps.observed(tonElectionObservation);
  await until(async () => (await election.find({ network: 'testnet', id: forgotten })) !== null);
  const before = await get(`testnet/elections/${forgotten}`).expect(200);

  const elector = chain.open(ElectorContract.create());
  const { now } = await chain.getLastBlock();
  await devnet.advanceTime(known.at(-1)! + ROUND - now);
  await until(async () => (await elector.getPastElectionsList()).every(({ id }) => id !== forgotten));
  time += 10 * 60_000;

  const elected = known.at(-1)! + ROUND;
  const { body } = await get(`testnet/elections/${elected}`).expect(200);
  expect(body.election).toMatchObject({ id: elected, bonuses: '0' });
  expect(await electionsOf('testnet')).toEqual([...known.slice(1), elected]);
  expect((await get(`testnet/elections/${forgotten}`).expect(200)).body).toEqual(before.body);
  const apy = await get('testnet/elections/latest/apy').expect(200);
  expect(apy.body.electionId).toBe(known.at(-1));
});

it('serves what it knows while the node is away', async () => {
  isReachable = false;
  time += 60 * 60_000;
  expect(await electionsOf('testnet')).toHaveLength(5);
  isReachable = true;
});
