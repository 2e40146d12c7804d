import { rmSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Address, comment, internal, toNano } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import express from 'express';
import request from 'supertest';
import {
  decodeTonMessage,
  encodeTonMessage,
  TON_MESSAGE_VERSION,
  TON_TRANSACTIONS,
  tonMessageKey,
  type TonLogMessage,
} from '../../contracts/chain/ton';
import { NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import type { FeeRow } from '../../contracts/http/billing/responses';
import type { ApyOfRound } from '../../contracts/http/staking/indexer';
import { formatAmount } from '../../contracts/money/money';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { NominatorPool } from '../../infra/devnet/ton/staking/pool-contract';
import { localWallet, transfer } from '../../infra/devnet/ton/wallets';
import { billing } from '../../infra/program/features/billing';
import { elections } from '../../infra/program/features/elections';
import { erasure } from '../../infra/program/features/erasure';
import { ledger } from '../../infra/program/features/ledger-tree';
import { staking } from '../../infra/program/features/staking';
import { ownedStakingPools } from '../../infra/program/features/staking/owned-pools';
import { ton } from '../../infra/program/features/ton';
import { tonConfig } from '../../infra/program/features/ton-config';
import { tonContracts } from '../../infra/program/features/ton-contracts';
import { watch } from '../../infra/program/features/watch';
import { tonTransactions } from '../../projections/ton/transactions/queries';
import { EARNED_FEES } from '../../services/billing/earned/reaction';
import { askAsFinance } from '../billing/finance';
import { quietDevnet } from '../devnet/ton';
import { startTestProgram, type TestProgram } from '../program';
import { temporaryFolder } from '../temporary-folder';
import { friendly } from '../ton/testnet';
import { until } from '../until';

/** A pool of the instance on a local testnet: what its owner earns, and the ledger. */

const POOL = Address.parseRaw(NOMINATOR_POOLS.testnet[0]!);
/** A wallet, and no pool. */
const NO_POOL = localWallet('bob', 'v4r2', 'testnet').contract.address;
const RECOVERED = 0xf96f7324;

let devnet: TonDevnet;
let client: TonClient4;
let program: TestProgram;
const folder = temporaryFolder();

async function start(): Promise<void> {
  program = await startTestProgram({
    features: [watch, ton, staking, ownedStakingPools, billing, ledger, erasure],
    beside: [tonContracts, elections, tonConfig],
    settings: {
      TON_RPC_URL_TESTNET: devnet.url,
      OWNED_STAKING_POOLS_TESTNET: [POOL, NO_POOL].map(friendly).join(),
      INSTANCE_CURRENCY: 'TON',
      AS_OF_IN_THREAD: 'false',
    },
    folder,
  });
}

const pool = () => client.open(new NominatorPool(POOL));

/** Moves the chain on until the pool has given back what it has staked, and has staked again. */
async function passRound(): Promise<void> {
  const { stakeAt, liftAt } = await until(
    () => pool().getStakingStatus(),
    ({ locked, querySent }) => locked && !querySent,
  );
  await devnet.advanceTime(liftAt - (await client.getLastBlock()).now);
  await until(
    () => pool().getStakingStatus(),
    status => status.stakeAt !== stakeAt,
  );
}

/** The rounds that the staking indexer knows, oldest first; null while it does not. */
async function rounds(): Promise<readonly ApyOfRound[] | null> {
  const { status, body } = await request(program.app)
    .post('/staking-indexer/indexer/pool/apy')
    .send({ address: friendly(POOL) });
  return status === 200 ? (body as ApyOfRound[]) : null;
}

async function fees(): Promise<readonly FeeRow[]> {
  const asked = { action: 'list_fee_ledger', pageSize: 200 };
  return (await askAsFinance<{ rows: FeeRow[] }>(program, asked)).rows;
}

const untilFees = (isThere: (rows: readonly FeeRow[]) => boolean) => until(fees, isThere);

/** Nothing more follows from what has happened. */
const untilIdle = () =>
  until(async () => {
    const { waiting, running } = await program.deps.engines.jobs.counts(EARNED_FEES);
    return waiting + running === 0;
  });

/** What the owner has earned in a round beside its own stake, by what the get methods say before and after it. */
async function shareOf({ before, after }: ApyOfRound): Promise<string> {
  const owner = (await pool().getOwner()).toRawString();
  const [earlier, later] = await Promise.all(
    [before, after].map(async ({ seqno }) => {
      const then = client.openAt(seqno, new NominatorPool(POOL));
      const [{ balance }, members] = await Promise.all([then.getPoolStatus(), then.getMembers()]);
      return { balance, own: members.get(owner)!.balance };
    }),
  );
  const profit = later!.balance - earlier!.balance;
  const share = later!.own - earlier!.own - (earlier!.own * profit) / earlier!.balance;
  expect(share).toBeGreaterThan(0n);
  return formatAmount(share * 10n ** 9n);
}

beforeAll(async () => {
  devnet = await quietDevnet({ network: 'testnet' });
  client = new TonClient4({ endpoint: devnet.url, timeout: 60_000 });
  await start();
  const alice = localWallet('alice', 'v5r1', 'testnet');
  await devnet.faucet(alice.contract.address.toRawString(), toNano(20_000));
  await transfer(client, alice, [internal({ to: POOL, value: toNano('10000.2'), body: comment('Deposit') })]);
  await until(
    () => pool().getMember(alice.contract.address),
    ({ balance, pendingDeposit }) => balance + pendingDeposit > 0n,
  );
});
afterAll(async () => {
  await program.stop();
  await devnet.close();
});

it('the share of the owner of each round is a collected fee of the pool, to the nanoton', async () => {
  await passRound();
  await passRound();
  const known = await until(rounds, found => found?.length === 2);
  const rows = await untilFees(found => found.length === 2);
  const booked = [...rows].sort((one, other) => one.created_at.localeCompare(other.created_at));
  for (const [place, round] of known!.entries()) {
    const share = await shareOf(round);
    expect(booked[place]).toMatchObject({
      fee_type: 'staking',
      collection_status: 'collected',
      created_at: round.time,
      // Nothing of it is owed to anybody.
      fee_amount: share,
      gross_amount: share,
      merchant_id: friendly(POOL),
    });
  }
});

it('a round that has ended while the program was stopped is booked once, and no other again without the jobs', async () => {
  const before = await fees();
  await program.stop();
  await passRound();
  for (const name of readdirSync(folder)) if (name.startsWith('jobs.sqlite')) rmSync(join(folder, name));
  await start();
  const rows = await untilFees(found => found.length > before.length);
  await until(rounds, found => found?.length === 3);
  await untilIdle();
  expect(rows).toHaveLength(3);
  expect(await fees()).toEqual(rows);
  expect(rows).toEqual(expect.arrayContaining([...before]));
});

it('a fork that takes the end of a round back reverses its fee, and the end that follows is booked again', async () => {
  const before = await fees();
  const { engine, engines } = program.deps;
  const proxy = (await pool().getProxy()).toRawString();
  const { transactions } = await tonTransactions(engine.views).page('testnet', proxy, { limit: 50 });
  const { lt, hash } = transactions.find(({ decoded }) => decoded().inMessage?.op === RECOVERED)!;
  const of = { version: TON_MESSAGE_VERSION, network: 'testnet', account: proxy } as const;
  const publish = (message: TonLogMessage) =>
    engines.log.publish(TON_TRANSACTIONS.name, [
      { key: tonMessageKey(of), value: encodeTonMessage(message) },
    ]);
  const again = await recordOf(lt);

  await publish({ type: 'retracted', ...of, lt, hash, external: [] });
  // While the chain is read again, nothing is known to be missing.
  await until(rounds, found => found === null);
  expect(await fees()).toEqual(before);
  await publish({ type: 'backfilled', ...of, downTo: '0', watch: 1 });
  const rows = await untilFees(found => found.some(row => row.collection_status === 'reversed'));
  expect(rows).toHaveLength(before.length);
  const [reversed, ...others] = rows.filter(row => row.collection_status === 'reversed');
  expect(others).toEqual([]);
  expect(rows.filter(row => row !== reversed)).toEqual(before.filter(({ id }) => id !== reversed!.id));

  await publish(again);
  const back = await untilFees(found => found.length === before.length + 1);
  const { fee_amount, created_at } = reversed!;
  expect(back.filter(row => row.created_at === created_at)).toEqual(
    expect.arrayContaining([
      reversed,
      expect.objectContaining({ fee_amount, created_at, collection_status: 'collected' }),
    ]),
  );
});

/** The record of a transaction of the proxy, as the indexer has published it. */
async function recordOf(lt: string): Promise<TonLogMessage> {
  const { log } = program.deps.engines;
  for (const partition of (await log.endOffsets(TON_TRANSACTIONS.name)).keys())
    for await (const { messages } of log.read({
      topic: TON_TRANSACTIONS.name,
      partition,
      from: 0,
      follow: false,
    }))
      for (const { value } of messages) {
        const message = decodeTonMessage(value);
        if (message.type === 'transaction' && message.lt === lt) return message;
      }
  throw new Error(`transaction ${lt} was not published`);
}

it('tells operators which address is no pool', async () => {
  const { body } = await request(express().use(...program.operatorsPages)).get('/health/ready');
  const { owned_staking_pools: told } = (body as { checks: Record<string, string> }).checks;
  expect(told).toContain(friendly(NO_POOL));
  expect(told).not.toContain(friendly(POOL));
});
