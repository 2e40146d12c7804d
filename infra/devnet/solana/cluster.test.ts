import {
  Authorized,
  Connection,
  Keypair,
  Lockup,
  PublicKey,
  StakeProgram,
  Transaction,
  VoteProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import pino from 'pino';
import { devnetForTests, funded, rpc, sendSol, SOL } from '../../../test/devnet/solana';
import { temporaryFolder } from '../../../test/temporary-folder';
import { FAUCET } from './genesis/genesis';
import { VALIDATOR, VOTE_ACCOUNT } from './genesis/validator';
import { openNetwork } from './network';
import { localKeypair } from './traffic/actors';

/** What an unmodified Connection reads about the cluster, its supply and its validators. */

const EPOCH = 32;
const network = devnetForTests({ slotsPerEpoch: EPOCH, confirmedAfter: 1, finalizedAfter: 2 });
const vote = new PublicKey(VOTE_ACCOUNT.address);
const faucet = localKeypair('faucet');

async function run(
  instructions: readonly TransactionInstruction[],
  signers: readonly Keypair[],
): Promise<void> {
  const connection = network.connection();
  await connection.sendTransaction(new Transaction().add(...instructions), [...signers]);
  await network.devnet.hooks.advance(1);
}

it('has one node, which leads every slot', async () => {
  const connection = network.connection();
  const nodes = await connection.getClusterNodes();
  expect(nodes).toMatchObject([{ pubkey: VALIDATOR.address, gossip: null, tpu: null }]);
  expect(`http://${nodes[0]!.rpc}`).toBe(network.devnet.url);
  expect(await connection.getSlotLeader()).toBe(VALIDATOR.address);
  const leaders = await connection.getSlotLeaders(5, 3);
  expect(leaders.map(leader => leader.toBase58())).toEqual(Array(3).fill(VALIDATOR.address));
  expect((await rpc(network.devnet.url, 'getIdentity')).result).toEqual({ identity: VALIDATOR.address });
});

it('has epochs', async () => {
  const connection = network.connection();
  const schedule = await connection.getEpochSchedule();
  expect(schedule).toMatchObject({ slotsPerEpoch: EPOCH, warmup: false, firstNormalSlot: 0 });
  const { epoch, absoluteSlot, slotsInEpoch } = await connection.getEpochInfo();
  expect(schedule.getEpoch(absoluteSlot)).toBe(epoch);
  expect(slotsInEpoch).toBe(EPOCH);
});

it('counts all lamports, at every commitment', async () => {
  const connection = network.connection();
  const before = (await connection.getSupply('finalized')).value;
  const rich = await funded(network.devnet, 500);
  const { value } = await connection.getSupply('processed');
  expect(value.total).toBe(before.total - 5_000); // the fee is burnt
  expect(value.circulating - before.circulating).toBe(500 * SOL);
  expect(value.circulating + value.nonCirculating).toBe(value.total);
  expect(value.nonCirculatingAccounts.map(key => key.toBase58())).toEqual([FAUCET.address]);
  expect((await connection.getSupply('finalized')).value.total).toBe(before.total);
  const { value: brief } = await connection.getSupply({
    commitment: 'processed',
    excludeNonCirculatingAccountsList: true,
  });
  expect(brief.nonCirculatingAccounts).toEqual([]);

  const largest = async (filter?: 'circulating' | 'nonCirculating') =>
    (await connection.getLargestAccounts({ commitment: 'processed', ...(filter && { filter }) })).value.map(
      ({ address, lamports }) => [address.toBase58(), lamports] as const,
    );
  const all = await largest();
  expect(all[0]![0]).toBe(FAUCET.address);
  expect(all.length).toBeLessThanOrEqual(20);
  expect(all).toContainEqual([rich.publicKey.toBase58(), 500 * SOL]);
  expect(all.map(([, lamports]) => lamports)).toEqual(
    all.map(([, lamports]) => lamports).sort((a, b) => b - a),
  );
  expect(await largest('nonCirculating')).toEqual(all.slice(0, 1));
  expect(await largest('circulating')).toEqual(expect.arrayContaining(all.slice(1, 5)));
  const { value: final } = await connection.getLargestAccounts({ commitment: 'finalized' });
  expect(final.map(({ address }) => address.toBase58())).not.toContain(rich.publicKey.toBase58());
});

it('has a vote account, from which its authority withdraws', async () => {
  const connection = network.connection();
  const { current, delinquent } = await connection.getVoteAccounts('processed');
  expect(delinquent).toEqual([]);
  expect(current).toMatchObject([
    {
      votePubkey: VOTE_ACCOUNT.address,
      nodePubkey: VALIDATOR.address,
      activatedStake: 1_000 * SOL,
      commission: 5,
      epochVoteAccount: true,
    },
  ]);
  const to = Keypair.generate().publicKey;
  const before = await connection.getBalance(vote);
  const withdrawal = { votePubkey: vote, authorizedWithdrawerPubkey: faucet.publicKey, toPubkey: to };
  await run(VoteProgram.withdraw({ ...withdrawal, lamports: 2 * SOL }).instructions, [faucet]);
  expect(await connection.getBalance(to)).toBe(2 * SOL);
  expect(await connection.getBalance(vote)).toBe(before - 2 * SOL);
  const thief = await funded(network.devnet);
  const theft = {
    votePubkey: vote,
    authorizedWithdrawerPubkey: thief.publicKey,
    toPubkey: to,
    lamports: SOL,
  };
  await expect(run(VoteProgram.withdraw(theft).instructions, [thief])).rejects.toThrow(/simulation failed/i);
});

it('runs the real stake program through a whole delegation', async () => {
  const connection = network.connection();
  const [owner, stake] = [await funded(network.devnet, 20), Keypair.generate()];
  const { publicKey: authorizedPubkey } = owner;
  const stakePubkey = stake.publicKey;
  const rent = await connection.getMinimumBalanceForRentExemption(StakeProgram.space);
  const nextEpoch = async (): Promise<void> => {
    const { slotIndex } = await connection.getEpochInfo();
    await network.devnet.hooks.advance(EPOCH - slotIndex);
  };
  const staked = async (): Promise<number> =>
    (await connection.getVoteAccounts('processed')).current[0]!.activatedStake;
  await run(
    [
      ...StakeProgram.createAccount({
        fromPubkey: authorizedPubkey,
        stakePubkey,
        authorized: new Authorized(authorizedPubkey, authorizedPubkey),
        lockup: new Lockup(0, 0, PublicKey.default),
        lamports: rent + 5 * SOL,
      }).instructions,
      ...StakeProgram.delegate({ stakePubkey, authorizedPubkey, votePubkey: vote }).instructions,
    ],
    [owner, stake],
  );
  expect(await staked()).toBe(1_000 * SOL);
  await nextEpoch();
  expect(await staked()).toBe(1_005 * SOL);
  await run(StakeProgram.deactivate({ stakePubkey, authorizedPubkey }).instructions, [owner]);
  await nextEpoch();
  expect(await staked()).toBe(1_000 * SOL);
  const withdraw = { stakePubkey, authorizedPubkey, toPubkey: authorizedPubkey, lamports: rent + 5 * SOL };
  await run(StakeProgram.withdraw(withdraw).instructions, [owner]);
  expect(await connection.getAccountInfo(stakePubkey)).toBeNull();
});

it('knows the minimum that the stake program itself demands', async () => {
  const connection = network.connection();
  const { value } = await connection.getStakeMinimumDelegation();
  const GET_MINIMUM_DELEGATION = 13;
  const data = Buffer.alloc(4);
  data.writeUInt32LE(GET_MINIMUM_DELEGATION);
  const payer = await funded(network.devnet);
  const transaction = new Transaction().add({ keys: [], programId: StakeProgram.programId, data });
  const { value: simulated } = await connection.simulateTransaction(transaction, [payer]);
  const returned = Buffer.from(simulated.returnData!.data[0], 'base64');
  expect(BigInt(value)).toBe(returned.readBigUInt64LE());
});

it('pays no rewards, and says so once an epoch has ended', async () => {
  const connection = network.connection('confirmed');
  const { epoch } = await connection.getEpochInfo('confirmed');
  expect(epoch).toBeGreaterThan(0);
  expect(await connection.getInflationReward([vote, faucet.publicKey], epoch - 1)).toEqual([null, null]);
  expect(await connection.getInflationReward([vote])).toEqual([null]);
  await expect(connection.getInflationReward([vote], epoch)).rejects.toThrow(/Block not available/);
});

it('samples its performance by the minute', async () => {
  let now = Date.parse('2026-11-22T12:00:05Z');
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
  const local = await openNetwork(
    {
      dataDir: temporaryFolder(),
      network: 'devnet',
      host: '127.0.0.1',
      port: 0,
      slotMs: 0,
      quietSlotMs: 0,
      skipEvery: 0,
      confirmedAfter: 1,
      finalizedAfter: 1,
      keepSlots: 1_000,
      slotsPerEpoch: EPOCH,
      allowedHosts: [],
    },
    pino({ level: 'silent' }),
  );
  try {
    const connection = new Connection(`http://127.0.0.1:${local.port}`, 'processed');
    expect(await connection.getRecentPerformanceSamples(5)).toEqual([]);
    const from = Keypair.generate();
    await local.airdrop(from.publicKey.toBase58(), BigInt(10 * SOL));
    for (const transfers of [2, 0, 3]) {
      for (let slot = 0; slot < 10; slot++) {
        if (slot < transfers) await sendSol(connection, from, Keypair.generate(), SOL);
        local.advance(1);
        now += 6_000;
      }
    }
    const samples = await connection.getRecentPerformanceSamples(5);
    expect(samples.map(({ numTransactions }) => numTransactions)).toEqual([0, 3]);
    for (const { samplePeriodSecs, numSlots } of samples) {
      expect(samplePeriodSecs).toBe(60);
      expect(numSlots).toBeGreaterThanOrEqual(9);
    }
    expect(await connection.getRecentPerformanceSamples(1)).toEqual(samples.slice(0, 1));
  } finally {
    clock.mockRestore();
    await local.close();
  }
});
