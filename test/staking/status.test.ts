import { ElectorContract, loadConfigParamsAsSlice, parseFullConfig, type TonClient4 } from '@ton/ton';
import request from 'supertest';
import { ROUND } from '../../infra/devnet/ton/elections/schedule';
import { elections } from '../../infra/program/features/elections';
import { staking } from '../../infra/program/features/staking';
import { tonElectionObservation } from '../../indexers/ton/observations/elections';
import { liquidPoolObservation } from '../../indexers/ton/observations/liquid-pool';
import { stakingStatusObservation } from '../../indexers/ton/observations/staking-status';
import { openReplacedServer, type ReplacedServer } from '../doubles/replaced-server';
import type { LocalNetwork } from '../ton/network';
import { startTestnet } from '../ton/testnet';
import { until } from '../until';

let network: LocalNetwork;
let client: TonClient4;
let node: ReplacedServer;
let aheadMs = 0;

/** More rounds than the elector lists after their end. */
const PASSED = 8;

interface Status {
  readonly startWorkTime: number;
  readonly bonuses: string;
  readonly electionEntities: readonly Record<'key' | 'amount' | 'address' | 'adnl', string>[];
  readonly validators: readonly Record<'weight' | 'address' | 'stake', string>[];
  readonly electionsHistory: readonly {
    readonly id: number;
    readonly totalStake: string;
    readonly bonuses: string;
  }[];
}
const status = async (): Promise<Status> =>
  (await request(network.app).get('/staking-indexer/status/testnet').expect(200)).body.status.data as Status;
const elector = () => client.open(ElectorContract.create());

async function config() {
  const { last } = await client.getLastBlock();
  const { cell } = (await client.getConfig(last.seqno)).config;
  return parseFullConfig(loadConfigParamsAsSlice(cell));
}

beforeAll(async () => {
  ({ network, client } = await startTestnet({
    watched: false,
    features: [elections, staking],
    nodeOf: async url => (node = await openReplacedServer(url)).url,
    clock: () => new Date(Date.now() + aheadMs),
  }));
});
afterAll(async () => {
  await network.close();
  await node.close();
});

it('is read at the start, as the liquid pool is: who asks first does not wait for it', async () => {
  const { observed } = network.deps;
  const [status, pool] = [observed(stakingStatusObservation), observed(liquidPoolObservation)];
  await until(async () => (await status.find({ network: 'testnet' })) !== null);
  await until(async () => (await pool.find({ network: 'testnet' })) !== null);
});

it('is what the configuration and the elector say, times in milliseconds where wallets expect them', async () => {
  const { validators: rules, validatorSets } = await config();
  const data = await status();
  const present = validatorSets.currentValidators!;
  expect(data).toMatchObject({
    validatorsElectedFor: rules.validatorsElectedFor * 1_000,
    electorsStartBefore: rules.electorsStartBefore * 1_000,
    electorsEndBefore: rules.electorsEndBefore * 1_000,
    stakeHeldFor: rules.stakeHeldFor,
    startWorkTime: present.timeSince * 1_000,
    validationFrom: present.timeSince,
    validationUntil: present.timeUntil,
    minStake: String(rules.minStake),
    maxStake: String(rules.maxStake),
    minValidators: rules.minValidators,
    maxValidators: rules.maxValidators,
    maxMainValidators: rules.maxMainValidators,
    complaints: [],
  });
  const past = await elector().getPastElections();
  const { frozen, bonuses } = past.find(({ id }) => id === present.timeSince)!;
  expect(data.bonuses).toBe(String(bonuses));
  expect(data.validators.map(({ address, stake, weight }) => [address, stake, weight]).sort()).toEqual(
    [...frozen.values()]
      .map(({ address, stake, weight }) => [
        address.toString({ testOnly: true }),
        String(stake),
        String(weight),
      ])
      .sort(),
  );
  const open = await elector().getElectionEntities();
  expect(
    data.electionEntities.map(({ key, amount, address, adnl }) => [key, amount, address, adnl]).sort(),
  ).toEqual(
    open!.entities
      .map(({ pubkey, stake, address, adnl }) => [
        pubkey.toString('base64'),
        String(stake),
        address.toString({ testOnly: true }),
        adnl.toString('base64'),
      ])
      .sort(),
  );
  expect(data.electionsHistory.map(({ id, totalStake, bonuses }) => [id, totalStake, bonuses])).toEqual(
    past.map(({ id, totalStake, bonuses }) => [id, String(totalStake), String(bonuses)]).reverse(),
  );
});

it('has rounds that the elector has forgotten, of which wallets need two', async () => {
  const { electionsHistory: before, startWorkTime } = await status();
  const election = network.deps.observed(tonElectionObservation);
  await until(async () => {
    const ended = before.filter(({ id }) => id * 1_000 < startWorkTime);
    const found = await election.findMany(ended.map(({ id }) => ({ network: 'testnet' as const, id })));
    return found.every(Boolean);
  });
  for (let round = 0; round < 2; round++) {
    await network.devnet.advanceTime(65_536);
    await network.devnet.simulation.produceBlock();
  }
  await until(async () => {
    aheadMs += 120_000;
    const { startWorkTime: next, electionsHistory } = await status();
    expect(next).toBeGreaterThan(startWorkTime);
    const past = await elector().getPastElectionsList();
    const forgotten = before.filter(({ id }) => past.every(each => each.id !== id));
    expect(forgotten.length).toBeGreaterThan(0);
    expect(electionsHistory.map(({ id }) => id)).toEqual(
      expect.arrayContaining(forgotten.map(({ id }) => id)),
    );
    const ended = electionsHistory.filter(({ id }) => id * 1_000 < next);
    expect(ended.length).toBeGreaterThanOrEqual(2);
    expect(ended.map(({ id }) => id)).toEqual(ended.map(({ id }) => id).sort((a, b) => b - a));
    return true;
  });
});

it('has the rounds that passed while no node was reached, each as the elector said after it', async () => {
  const { startWorkTime: before } = await status();
  node.answer = (_, response) => {
    response.writeHead(500).end();
    return true;
  };
  await network.devnet.passTime(PASSED * ROUND.electedFor);
  node.answer = null;
  const passed = await until(async () => {
    aheadMs += 120_000;
    const { startWorkTime, electionsHistory } = await status();
    expect(startWorkTime).toBe(before + PASSED * ROUND.electedFor * 1_000);
    const newest = electionsHistory.filter(({ id }) => id * 1_000 < startWorkTime).slice(0, PASSED);
    expect(newest.at(-1)!.id * 1_000).toBe(before);
    return newest;
  });
  expect(passed).toHaveLength(PASSED);
  for (const { id, totalStake, bonuses } of passed) {
    const { shards } = await client.getBlockByUtime(id + ROUND.electedFor + 600);
    const then = client.openAt(shards[0]!.seqno, ElectorContract.create());
    const said = (await then.getPastElections()).find(each => each.id === id)!;
    expect([totalStake, bonuses]).toEqual([String(said.totalStake), String(said.bonuses)]);
    expect(bonuses).not.toBe('0');
  }
});

it('is at the root of the host for mainnet, with the slash and without', async () => {
  for (const path of ['/staking-indexer/status/', '/staking-indexer/status']) {
    const { validators } = (await request(network.app).get(path).expect(200)).body.status.data as Status;
    // The double of a node answers for both networks.
    for (const { address } of validators) expect(address).toMatch(/^Ef/);
  }
});

it('the test network may be named as wallets name it where they ask for elections', async () => {
  const { body } = await request(network.app).get('/staking-indexer/status/sandbox').expect(200);
  const { validators } = (body as { status: { data: Status } }).status.data;
  for (const { address } of validators) expect(address).toMatch(/^kf/);
});

it('refuses a network that is none and names the field', async () => {
  const { body } = await request(network.app).get('/staking-indexer/status/devnet').expect(400);
  expect(body).toMatchObject({ errors: [{ pointer: '/path/network' }] });
});
