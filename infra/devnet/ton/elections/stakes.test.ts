import { Address, beginCell, toNano } from '@ton/core';
import { ElectorContract } from '@ton/ton';
import { type Outcome, contractOnTvm } from '../../../../test/devnet/nominator-pool';
import { ed25519Key } from '../../ed25519';
import { type Candidate, OP, newStakeBody, signedStake } from '../staking/staking';
import { ELECTOR_CODE } from './code';
import { ELECTOR_ADDRESS, ELECTOR_BALANCE, newElector } from './elector';
import { ROUND, electionSchedule } from './schedule';
import { validatorsOf } from './validators';

const ALICE = new Address(-1, Buffer.alloc(32, 1));
const BOB = new Address(-1, Buffer.alloc(32, 2));
const KEY = ed25519Key(Buffer.alloc(32, 3));
const WHOLE = toNano(500_000);
const ZERO_TIME = 1_750_000_000;
const OTHERS = validatorsOf(1);

let on: Awaited<ReturnType<typeof contractOnTvm>>;
let elector: ReturnType<typeof open>;
let stakeAt: number;

const open = () => on.open(ElectorContract.create());

beforeEach(async () => {
  const { data } = newElector(electionSchedule(ZERO_TIME), ZERO_TIME);
  on = await contractOnTvm(Address.parseRaw(ELECTOR_ADDRESS), ELECTOR_CODE, data, ELECTOR_BALANCE);
  elector = open();
  stakeAt = on.elections.startOf(1);
});

const candidate = (changed: Partial<Candidate> = {}): Candidate => ({
  publicKey: KEY.publicKey,
  stakeAt,
  maxFactor: 3 << 16,
  adnl: Buffer.alloc(32, 4),
  ...changed,
});

const stake = (
  from: Address,
  value: bigint,
  of = candidate(),
  signature = KEY.sign(signedStake(of, from)),
): Promise<Outcome> => on.send({ from, value, body: newStakeBody(of, signature, 9n) });

const recover = (from: Address): Promise<Outcome> =>
  on.send({
    from,
    value: toNano(2),
    body: beginCell().storeUint(OP.recoverStake, 32).storeUint(7, 64).endCell(),
  });

/** The answer of the elector: what it says, and its coins. */
function read({ exitCode, sent: [message] }: Outcome) {
  expect(exitCode).toBe(0);
  if (message?.info.type !== 'internal') throw new Error('no answer');
  const body = message.body.beginParse();
  return {
    to: message.info.dest.toRawString(),
    says: [body.loadUint(32), body.loadUintBig(64), body.remainingBits === 0 ? null : body.loadUint(32)],
    value: message.info.value.coins,
  };
}

/** Moves the clock, and the elector with it. */
async function moveTo(utime: number): Promise<void> {
  on.moveTo(utime);
  await on.sendExternal();
}

async function staked(): Promise<bigint | undefined> {
  const { entities } = (await elector.getElectionEntities())!;
  return entities.find(({ pubkey }) => pubkey.equals(KEY.publicKey))?.stake;
}

it('takes a stake less one TON, which it sends back, and adds to it what the same sender sends later', async () => {
  const taken = read(await stake(ALICE, WHOLE + toNano(1)));
  expect(taken).toMatchObject({ to: ALICE.toRawString(), says: [OP.stakeAccepted, 9n, 0] });
  expect(taken.value).toBeGreaterThan(toNano('0.9'));
  expect(taken.value).toBeLessThanOrEqual(toNano(1));
  expect(await staked()).toBe(WHOLE);
  expect((await elector.getElectionEntities())!.allStakes).toBe(OTHERS.totalStake + WHOLE);
  await stake(ALICE, toNano(50_001));
  expect(await staked()).toBe(WHOLE + toNano(50_000));
});

it.each<readonly [string, () => Promise<Outcome>, number]>([
  ['from the basechain', () => stake(new Address(0, ALICE.hash), WHOLE), 0],
  [
    'with the signature for another sender',
    () => stake(ALICE, WHOLE, candidate(), KEY.sign(signedStake(candidate(), BOB))),
    1,
  ],
  ['of less than a 4096th of the whole', () => stake(ALICE, OTHERS.totalStake / 4096n), 2],
  ['for another election', () => stake(ALICE, WHOLE, candidate({ stakeAt: stakeAt + 1 })), 3],
  ['of less than the minimum', () => stake(ALICE, toNano(300_000)), 5],
  ['with a factor below one', () => stake(ALICE, WHOLE, candidate({ maxFactor: 65_535 })), 6],
])('returns a stake %s, with the reason', async (_, sent, reason) => {
  const answer = read(await sent());
  expect(answer.says).toEqual([OP.stakeReturned, 9n, reason]);
  expect(answer.value).toBeGreaterThan(toNano(20_000));
  expect(await staked()).toBeUndefined();
});

it('returns a stake for a key that another has used', async () => {
  await stake(ALICE, WHOLE);
  expect(read(await stake(BOB, WHOLE)).says).toEqual([OP.stakeReturned, 9n, 4]);
});

it('returns a stake while no election is open, and when it has just ended', async () => {
  on.moveTo(stakeAt - ROUND.endBefore);
  expect(read(await stake(ALICE, WHOLE)).says).toEqual([OP.stakeReturned, 9n, 0]);
  await on.sendExternal();
  expect(read(await stake(ALICE, WHOLE)).says).toEqual([OP.stakeReturned, 9n, 0]);
});

const BONUS = (id: number, total: bigint): bigint => {
  const bonuses = (total * BigInt(140 + (id % 21))) / 1_000_000n;
  return (bonuses * WHOLE) / total;
};

it.each([
  ['in steps', true],
  ['in one step', false],
])(
  'gives a stake back with its share of the bonuses, half a round after its round, if time passes %s',
  async (_, inSteps) => {
    const total = OTHERS.totalStake + WHOLE;
    await stake(ALICE, WHOLE + toNano(1));
    const end = stakeAt + ROUND.electedFor;
    if (inSteps) {
      await moveTo(stakeAt - ROUND.endBefore);
      const { frozen, totalStake, unfreezeAt } = (await elector.getPastElections()).at(-1)!;
      expect([totalStake, unfreezeAt]).toEqual([total, end + ROUND.heldFor]);
      expect(frozen.size).toBe(OTHERS.validators.length + 1);
      const mine = [...frozen.values()].find(({ address }) => address.equals(ALICE))!;
      expect(mine).toMatchObject({ stake: WHOLE, weight: (WHOLE * 2n ** 60n) / total });
      await moveTo(stakeAt);
      await moveTo(end - ROUND.startBefore);
      await moveTo(end);
      expect(await elector.getReturnedStake(ALICE)).toBe(0n);
      expect(read(await recover(ALICE)).says).toEqual([OP.nothingToRecover, 7n, OP.recoverStake]);
    }
    await moveTo(end + ROUND.heldFor);
    const due = WHOLE + BONUS(stakeAt, total);
    expect(await elector.getReturnedStake(ALICE)).toBe(due);
    const past = await elector.getPastElections();
    expect(past.find(({ id }) => id === stakeAt)!.bonuses).toBe(
      (total * BigInt(140 + (stakeAt % 21))) / 1_000_000n,
    );

    // The same account of the basechain is another.
    expect(read(await recover(new Address(0, ALICE.hash))).says[0]).toBe(OP.nothingToRecover);
    const paid = read(await recover(ALICE));
    expect(paid).toMatchObject({ to: ALICE.toRawString(), says: [OP.stakeRecovered, 7n, null] });
    expect(paid.value).toBeGreaterThan(due + toNano('1.5'));
    expect(paid.value).toBeLessThanOrEqual(due + toNano(2));
    expect(await elector.getReturnedStake(ALICE)).toBe(0n);
    expect(read(await recover(ALICE)).says[0]).toBe(OP.nothingToRecover);
  },
);

it('refuses what it does not know, and takes coins', async () => {
  const body = beginCell().storeUint(0x11111111, 32).endCell();
  expect((await on.send({ from: ALICE, value: toNano(1), body })).exitCode).toBe(0xffff);
  expect((await on.send({ from: ALICE, value: toNano(1) })).exitCode).toBe(0);
});
