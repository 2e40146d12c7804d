import { Address } from '@ton/core';
import {
  ElectorContract,
  type TonClient4,
  loadConfigParamById,
  loadConfigParamsAsSlice,
  parseFullConfig,
  parseValidatorSet,
} from '@ton/ton';
import { clientOf, expectUnbrokenChains, quietDevnet } from '../../../../test/devnet/ton';
import { until } from '../../../../test/until';
import type { TonDevnet } from '../devnet';
import { ROUND } from './schedule';
import { validatorsOf } from './validators';

const elector = ElectorContract.create();
let devnet: TonDevnet;
let client: TonClient4;

const seqno = async (): Promise<number> => (await client.getLastBlock()).last.seqno;
const electorLt = async (): Promise<string> =>
  (await client.getAccountLite(await seqno(), elector.address)).account.last?.lt ?? '0';
const ids = async (): Promise<number[]> =>
  (await client.open(elector).getPastElectionsList()).map(({ id }) => id);

/** Start and end of a set of validators of the configuration; null when there is none. */
async function term(param: 32 | 34 | 36): Promise<[number, number] | null> {
  const { config } = await client.getConfig(await seqno());
  if (!loadConfigParamsAsSlice(config.cell).has(param)) return null;
  const set = parseValidatorSet(loadConfigParamById(config.cell, param).beginParse())!;
  expect(set.list!.size).toBe(set.total);
  return [set.timeSince, set.timeUntil];
}

/** Moves the clock to an instant, and waits until the elector has noticed. */
async function advanceTo(utime: number): Promise<void> {
  const before = await electorLt();
  await devnet.advanceTime(utime - (await client.getLastBlock()).now);
  await until(electorLt, lt => lt !== before);
}

let first: number;

beforeAll(async () => {
  devnet = await quietDevnet();
  client = clientOf(devnet.url);
  first = (await term(34))![0];
});
afterAll(() => devnet.close());

describe('a new network', () => {
  it('has a current and a previous set of validators, and parameters that a client parses', async () => {
    expect(await term(32)).toEqual([first - ROUND.electedFor, first]);
    expect(await term(34)).toEqual([first, first + ROUND.electedFor]);
    expect(await term(36)).toBeNull();
    const { config } = await client.getConfig(await seqno());
    const { validators, electorAddress } = parseFullConfig(loadConfigParamsAsSlice(config.cell));
    expect(electorAddress.equals(elector.address)).toBe(true);
    expect(validators).toMatchObject({
      validatorsElectedFor: ROUND.electedFor,
      electorsStartBefore: ROUND.startBefore,
      electorsEndBefore: ROUND.endBefore,
      stakeHeldFor: ROUND.heldFor,
      minValidators: 5,
    });
  });

  it('has five past elections, of which the last one has earned nothing yet', async () => {
    const past = await client.open(elector).getPastElections();
    expect(past.map(({ id }) => id)).toEqual([-4, -3, -2, -1, 0].map(n => first + n * ROUND.electedFor));
    expect(past.map(({ bonuses }) => bonuses > 0n)).toEqual([true, true, true, true, false]);
    for (const [i, { totalStake, frozen, unfreezeAt, id, stakeHeld, bonuses }] of past.entries()) {
      expect(totalStake).toBe(validatorsOf(i).totalStake);
      expect([...frozen.values()].reduce((sum, { stake }) => sum + stake, 0n)).toBe(totalStake);
      expect(unfreezeAt).toBe(id + ROUND.electedFor + stakeHeld);
      expect(bonuses).toBeLessThan(totalStake / 6_000n);
    }
  });

  it('is holding an election', async () => {
    const open = client.open(elector);
    expect(await open.getActiveElectionId()).toBe(first + ROUND.electedFor);
    const election = (await open.getElectionEntities())!;
    expect(election).toMatchObject({
      startWorkTime: first + ROUND.electedFor,
      endElectionsTime: first + ROUND.electedFor - ROUND.endBefore,
      allStakes: validatorsOf(1).totalStake,
    });
    expect(election.entities.map(({ stake }) => stake).sort()).toEqual(
      validatorsOf(1)
        .validators.map(({ stake }) => stake)
        .sort(),
    );
    expect(await open.getComplaints(first)).toEqual([]);
  });

  it('lists its participants, and what stake is returned to whom', async () => {
    const { reader } = await client.runMethod(await seqno(), elector.address, 'participant_list_extended');
    expect(reader.readNumber()).toBe(first + ROUND.electedFor);
    const [odd, even] = [validatorsOf(1).validators[0]!, validatorsOf(0).validators[0]!];
    const returned = (hash: Buffer): Promise<bigint> =>
      client.open(elector).getReturnedStake(new Address(-1, hash));
    expect(await returned(odd.address)).toBeGreaterThan(odd.stake);
    expect(await returned(even.address)).toBe(0n);
  });
});

describe('as time passes', () => {
  it('the election ends, and its validators are the next set', async () => {
    await advanceTo(first + ROUND.electedFor - ROUND.endBefore);
    expect(await term(36)).toEqual([first + ROUND.electedFor, first + 2 * ROUND.electedFor]);
    expect(await client.open(elector).getActiveElectionId()).toBeNull();
    expect((await ids()).at(-1)).toBe(first + ROUND.electedFor);
  });

  it('they start their round, the round before has earned its reward, and the oldest round is listed no longer', async () => {
    await advanceTo(first + ROUND.electedFor);
    expect(await term(32)).toEqual([first, first + ROUND.electedFor]);
    expect(await term(34)).toEqual([first + ROUND.electedFor, first + 2 * ROUND.electedFor]);
    expect(await term(36)).toBeNull();
    const past = await client.open(elector).getPastElections();
    expect(past.find(({ id }) => id === first)!.bonuses).toBeGreaterThan(0n);
    expect(past.at(-1)).toMatchObject({ id: first + ROUND.electedFor, bonuses: 0n });
    expect(past.map(({ id }) => id)).not.toContain(first - 4 * ROUND.electedFor);
  });

  it('the next election starts, and the stakes of the round before are paid out', async () => {
    const { address, stake } = validatorsOf(0).validators[0]!;
    const returned = () => client.open(elector).getReturnedStake(new Address(-1, address));
    expect(await returned()).toBe(0n);
    await advanceTo(first + 2 * ROUND.electedFor - ROUND.startBefore);
    expect(await client.open(elector).getActiveElectionId()).toBe(first + 2 * ROUND.electedFor);
    expect(await returned()).toBeGreaterThan(stake);
    expect(await ids()).toContain(first);
  });

  it('rounds that nobody saw are skipped', async () => {
    await advanceTo(first + 6 * ROUND.electedFor - ROUND.startBefore);
    expect((await ids()).at(-1)).toBe((await term(34))![0]);
    expect(await client.open(elector).getActiveElectionId()).toBe((await term(34))![1]);
    await expectUnbrokenChains(client);
  });
});
