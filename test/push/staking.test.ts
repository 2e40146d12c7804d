import { Address, internal, toNano, type Cell } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { NominatorPool } from '../../infra/devnet/ton/staking/pool-contract';
import { depositBody, withdrawBody } from '../../infra/devnet/ton/staking/staking';
import { localWallet, transfer, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { elections } from '../../infra/program/features/elections';
import { pushStaking } from '../../infra/program/features/push/staking';
import { staking } from '../../infra/program/features/staking';
import { ton } from '../../infra/program/features/ton';
import { tonConfig } from '../../infra/program/features/ton-config';
import { watch } from '../../infra/program/features/watch';
import { PUSH_STAKING_ROUNDS } from '../../services/push/causes/staking-rounds';
import { PUSH_STAKING_WITHDRAWALS } from '../../services/push/causes/staking-withdrawals';
import { quietDevnet } from '../devnet/ton';
import { temporaryFolder } from '../temporary-folder';
import { addressOf, rawOf } from '../ton/testnet';
import { until } from '../until';
import { startPushProgram, type PushProgram } from './program';

/** Members of a pool on a local testnet, whose rounds pass. */

const POOL = Address.parseRaw(NOMINATOR_POOLS.testnet[0]!);
const FEES = toNano('0.2');
const HOME = '203.0.113.7';

/** Both are members; Alice withdraws a part of her stake. Carol has a device, and no stake. */
const [alice, bob, carol] = [
  localWallet('alice', 'v5r1', 'testnet'),
  localWallet('bob', 'v4r2', 'testnet'),
  localWallet('carol', 'v5r1', 'testnet'),
];

let devnet: TonDevnet;
let client: TonClient4;
let program: PushProgram;
const folder = temporaryFolder();

const start = async (): Promise<void> => {
  program = await startPushProgram(
    undefined,
    { TON_RPC_URL_TESTNET: devnet.url },
    [watch, ton, staking, pushStaking],
    { beside: [elections, tonConfig], folder },
  );
};

const pool = () => client.open(new NominatorPool(POOL));
const memberOf = (wallet: LocalWallet) => pool().getMember(wallet.contract.address);
const send = (from: LocalWallet, value: bigint, body: Cell) =>
  transfer(client, from, [internal({ to: POOL, value, body })]);

const isStaked = () =>
  until(
    () => pool().getStakingStatus(),
    ({ locked, querySent }) => locked && !querySent,
  );

/** Moves the chain on until the pool has given back what it has staked, and has staked again. */
async function passRound(): Promise<void> {
  const { stakeAt, liftAt } = await isStaked();
  await devnet.advanceTime(liftAt - (await client.getLastBlock()).now);
  await until(
    () => pool().getStakingStatus(),
    status => status.stakeAt !== stakeAt,
  );
}

/** Nothing more follows from what has happened. */
const untilIdle = () =>
  until(async () => {
    for (const queue of [
      PUSH_STAKING_ROUNDS,
      PUSH_STAKING_WITHDRAWALS,
      'push-causes',
      'push-notifications',
    ]) {
      const { waiting, running } = await program.deps.engines.jobs.counts(queue);
      if (waiting + running > 0) return false;
    }
    return true;
  });

const ended = () => program.notified('staking_round');
const ready = () => program.notified('staking_withdrawal');

beforeAll(async () => {
  devnet = await quietDevnet({ network: 'testnet' });
  client = new TonClient4({ endpoint: devnet.url, timeout: 60_000 });
  await start();
  for (const wallet of [alice, bob]) {
    await devnet.faucet(rawOf(wallet), toNano(2_000));
    await send(wallet, toNano(1_000) + FEES, depositBody());
    await until(
      () => memberOf(wallet),
      ({ balance, pendingDeposit }) => balance + pendingDeposit > 0n,
    );
  }
  for (const [device, wallet] of [
    ['alices', alice],
    ['carols', carol],
  ] as const)
    expect(await program.register(HOME, device, { addresses: [addressOf(wallet)] })).toMatchObject({
      status: 200,
    });
});
afterAll(async () => {
  await program.stop();
  await devnet.close();
});

it('a round that has ended is one notification of the device of each member', async () => {
  await passRound();
  // Those who were accepted after the stake was sent take part in the next one.
  await passRound();
  await until(ended, devices => devices.length > 0);
  await untilIdle();
  const before = await ended();
  await passRound();
  await until(ended, devices => devices.length > before.length);
  await untilIdle();
  expect(await ended()).toEqual([...before, 'alices']);
  const [text] = await program.texts('staking_round');
  expect(text).toMatch(/^A staking cycle of .{4}….{4} has ended$/);
  // Nobody has asked for anything.
  expect(await ready()).toEqual([]);
});

it('a withdrawal is notified when it is ready, and not while it is pending', async () => {
  await isStaked();
  await send(alice, FEES, withdrawBody(toNano(100)));
  await until(
    () => memberOf(alice),
    ({ pendingWithdraw }) => pendingWithdraw > 0n,
  );
  await untilIdle();
  expect(await ready()).toEqual([]);
  await passRound();
  expect(await until(ready, devices => devices.length > 0)).toEqual(['alices']);
  expect((await memberOf(alice)).withdraw).toBeGreaterThan(0n);
  expect((await program.texts('staking_withdrawal'))[0]).toMatch(/^A withdrawal of .{4}….{4} is ready$/);
});

it('nothing is notified twice after a restart, and after the documents were made again', async () => {
  await untilIdle();
  const before = [await ended(), await ready()];
  await program.stop();
  await start();
  for (const projection of ['push-devices', 'ton-transactions', 'observed-ton-staking-round'])
    await program.deps.engine.rebuild(projection, program.deps);
  await untilIdle();
  expect([await ended(), await ready()]).toEqual(before);
  // It goes on.
  await passRound();
  await until(ended, devices => devices.length > before[0]!.length);
  await untilIdle();
  expect([await ended(), await ready()]).toEqual([[...before[0]!, 'alices'], before[1]]);
});
