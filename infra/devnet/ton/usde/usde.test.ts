import { type Address, beginCell, toNano } from '@ton/core';
import { addressOf } from '../../../../test/devnet/nominator-pool';
import { type UsdeOnTvm, usdeOnTvm } from '../../../../test/devnet/usde';
import { jettonBurnBody, jettonTransferBody } from '../jetton/jetton';
import { LOCK_PERIOD, claimBody, stakeBody, unstakeBody } from './usde';

const [ALICE, BOB] = [addressOf('alice'), addressOf('bob')];
const USDE = 1_000_000n;

let on: UsdeOnTvm;
beforeEach(async () => {
  on = await usdeOnTvm();
  for (const owner of [ALICE, BOB]) await on.give(owner, 1_000n * USDE);
});

/** What is read before and after. */
async function change<T>(read: () => Promise<T>, act: () => Promise<unknown>): Promise<[T, T]> {
  const before = await read();
  await act();
  return [before, await read()];
}

it('stakes 100 USDe for 95.029934 shares, which are worth a unit less when unstaked', async () => {
  expect(await on.vault.getConvertToAssets(1_000_000_000n)).toBe(1_052_300_000n);
  const [before, after] = await change(
    () => on.sharesOf(ALICE),
    () => on.stake(ALICE, 100n * USDE),
  );
  expect(after - before).toBe(95_029_934n);
  await on.unstake(ALICE, 95_029_934n);
  expect(await on.timelockOf(ALICE)).toEqual({ locked: 99_999_999n, unlockAt: on.now() + LOCK_PERIOD });
  expect(await on.sharesOf(ALICE)).toBe(0n);
});

it('a reward of the issuer makes every share worth more, and mints none', async () => {
  const { shares, assets } = await on.vault.getVault();
  await on.stake(on.addresses.issuer, 1_000n * USDE);
  expect(await on.vault.getVault()).toEqual({
    assets: assets + 1_000n * USDE,
    shares,
    locked: 0n,
    rewardedAt: on.now(),
  });
  expect(await on.vault.getConvertToAssets(1_000_000_000n)).toBe(1_053_300_000n);
});

it('is claimed after seven days, not before, and once', async () => {
  await on.stake(ALICE, 100n * USDE);
  await on.unstake(ALICE, await on.sharesOf(ALICE));
  const { locked } = await on.timelockOf(ALICE);
  on.pass(LOCK_PERIOD - 1);
  expect(await on.claim(ALICE, locked)).toEqual([710]);
  on.pass(1);
  const [before, after] = await change(
    () => on.usdeOf(ALICE),
    () => on.claim(ALICE, locked),
  );
  expect(after - before).toBe(locked);
  expect((await on.timelockOf(ALICE)).locked).toBe(0n);
  expect(await on.claim(ALICE, locked)).toEqual([711]);
  expect((await on.vault.getVault()).locked).toBe(0n);
});

it('a second request is merged with the first, and both wait seven days from then', async () => {
  await on.stake(ALICE, 100n * USDE);
  await on.unstake(ALICE, 40_000_000n);
  const first = await on.timelockOf(ALICE);
  on.pass(LOCK_PERIOD - 10);
  await on.unstake(ALICE, 20_000_000n);
  const both = await on.timelockOf(ALICE);
  expect(first.locked).toBe(42_092_000n);
  expect(both).toEqual({ locked: first.locked + 21_046_000n, unlockAt: on.now() + LOCK_PERIOD });
  on.pass(10);
  expect(await on.claim(ALICE, both.locked)).toEqual([710]);
  on.pass(LOCK_PERIOD - 10);
  // A part of it, then the rest.
  await on.claim(ALICE, first.locked);
  expect(await on.timelockOf(ALICE)).toMatchObject({ locked: 21_046_000n });
});

it('shares are transferred between owners, with a notification; what is locked stays', async () => {
  await on.stake(ALICE, 100n * USDE);
  await on.unstake(ALICE, 10_000_000n);
  const locked = await on.timelockOf(ALICE);
  const body = jettonTransferBody({ to: BOB, amount: 5_000_000n, response: ALICE, forwardValue: 1n });
  expect(await on.send(ALICE, on.stakedWallet(ALICE), body)).toEqual([0, 0]);
  expect(await on.sharesOf(BOB)).toBe(5_000_000n);
  expect(await on.timelockOf(ALICE)).toEqual(locked);
  expect(await on.timelockOf(BOB)).toEqual({ locked: 0n, unlockAt: 0 });
});

describe('sends back', () => {
  it.each([
    ['less than 1 USDe', USDE - 1n],
    ['nothing', 0n],
  ])('a stake of %s', async (_what, amount) => {
    const state = await on.vault.getVault();
    const [before, after] = await change(
      () => on.usdeOf(ALICE),
      () => on.stake(ALICE, amount),
    );
    expect(after).toBe(before);
    expect(await on.vault.getVault()).toEqual(state);
  });

  it('a stake whose notification does not pay for its shares', async () => {
    const body = jettonTransferBody({
      to: on.addresses.vault,
      amount: 5n * USDE,
      response: ALICE,
      forwardValue: toNano('0.055'),
    });
    const state = await on.vault.getVault();
    const [before, after] = await change(
      () => on.usdeOf(ALICE),
      () => on.send(ALICE, on.usdeWallet(ALICE), body),
    );
    expect(after).toBe(before);
    expect(await on.vault.getVault()).toEqual(state);
  });
});

describe('refuses', () => {
  const orders = (owner: Address) => {
    const { stakedUsde } = on.addresses;
    return {
      unstake: (amount: bigint) => unstakeBody({ to: stakedUsde, amount, response: owner }),
      claim: (amount: bigint, to = stakedUsde) => claimBody({ to, amount, response: owner }),
    };
  };
  const query = (op: number) => beginCell().storeUint(op, 32).storeUint(1, 64);

  beforeEach(async () => {
    await on.stake(ALICE, 100n * USDE);
    await on.unstake(ALICE, 10_000_000n);
    on.pass(LOCK_PERIOD);
  });

  it('what is not of the owner, more than there is, nothing, and too few coins', async () => {
    const { unstake, claim } = orders(ALICE);
    const wallet = on.stakedWallet(ALICE);
    const codes = async (from: Address, ...sent: [ReturnType<typeof unstake>, bigint?]) =>
      on.send(from, wallet, ...sent);
    expect(await codes(BOB, unstake(1n))).toEqual([705]);
    expect(await codes(ALICE, unstake(10n ** 12n))).toEqual([706]);
    expect(await codes(ALICE, unstake(0n))).toEqual([706]);
    expect(await codes(ALICE, unstake(1n), toNano('0.099'))).toEqual([709]);
    expect(await codes(BOB, claim(1n))).toEqual([705]);
    expect(await codes(ALICE, claim(0n))).toEqual([711]);
    expect(await codes(ALICE, claim(10n ** 12n))).toEqual([711]);
    expect(await codes(ALICE, claim(1n, BOB))).toEqual([712]);
    expect(await codes(ALICE, claim(1n), toNano('0.099'))).toEqual([709]);
    expect(await codes(ALICE, jettonBurnBody({ amount: 1n, response: ALICE }))).toEqual([0xffff]);
  });

  it('orders that only the master or the vault may give', async () => {
    const wallet = on.stakedWallet(ALICE);
    const lock = query(0xb2583ed5).storeCoins(1n).storeUint(0, 32).endCell();
    const receive = query(0x178d4519)
      .storeCoins(1n)
      .storeAddress(BOB)
      .storeAddress(BOB)
      .storeCoins(0)
      .storeBit(false)
      .endCell();
    expect(await on.send(BOB, wallet, lock)).toEqual([707]);
    expect(await on.send(BOB, wallet, receive)).toEqual([707]);
    expect(await on.send(BOB, on.addresses.stakedUsde, receive)).toEqual([74]);
    const claim = query(0xd750cec9).storeCoins(1n).storeAddress(BOB).storeAddress(BOB).endCell();
    expect(await on.send(BOB, on.addresses.stakedUsde, claim)).toEqual([74]);
    expect(await on.send(BOB, on.addresses.vault, claim)).toEqual([707]);
    const mint = query(0x15).storeAddress(BOB).storeCoins(0).storeRef(receive).endCell();
    expect(await on.send(BOB, on.addresses.stakedUsde, mint)).toEqual([73]);
    const notification = query(0x7362d09c)
      .storeCoins(10n ** 12n)
      .storeAddress(BOB)
      .storeBit(false)
      .endCell();
    const state = await on.vault.getVault();
    expect(await on.send(BOB, on.addresses.vault, notification)).toEqual([707]);
    expect(await on.vault.getVault()).toEqual(state);
  });
});

it('the value that is not used comes back to the owner', async () => {
  const { vault, stakedUsde } = on.addresses;
  await on.stake(ALICE, 100n * USDE);
  await on.unstake(ALICE, 10_000_000n);
  on.pass(LOCK_PERIOD);
  const orders = [
    [on.usdeWallet(ALICE), stakeBody({ to: vault, amount: USDE, response: ALICE })],
    [on.stakedWallet(ALICE), claimBody({ to: stakedUsde, amount: USDE, response: ALICE })],
    [on.stakedWallet(ALICE), unstakeBody({ to: stakedUsde, amount: USDE, response: ALICE })],
  ] as const;
  for (const [wallet, body] of orders) {
    const [before, after] = await change(
      () => on.coinsOf(ALICE),
      () => on.send(ALICE, wallet, body),
    );
    expect(after - before).toBeGreaterThan(toNano('0.1'));
  }
  const { issuer } = on.addresses;
  const [before, after] = await change(
    () => on.coinsOf(issuer),
    () => on.stake(issuer, USDE),
  );
  expect(after - before).toBeGreaterThan(toNano('0.1'));
});
