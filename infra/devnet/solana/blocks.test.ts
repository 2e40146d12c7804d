import { Keypair } from '@solana/web3.js';
import { devnetForTests, funded, manualDevnet, rpc, sendSol, SOL } from '../../../test/devnet/solana';

/** Slots 9, 19, 29, ... and 48 have no block. */
const network = devnetForTests({ skipEvery: 10 });
const versions = { maxSupportedTransactionVersion: 0 };

const call = (method: string, ...params: unknown[]) => rpc(network.devnet.url, method, params);

beforeAll(() => network.devnet.hooks.advance(65));

it('skips slots, and links the blocks across them', async () => {
  const connection = network.connection('confirmed');
  const tip = await connection.getSlot();
  const slots = await connection.getBlocks(0, tip);
  expect(slots.slice(0, 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12]);
  expect(slots).not.toContain(48);
  expect(await connection.getBlockHeight()).toBe(slots.length - 1);

  let parent = await connection.getBlock(40, versions);
  for (const slot of slots.filter(each => each > 40)) {
    const block = await connection.getBlock(slot, versions);
    expect(block?.parentSlot).toBe(slots[slots.indexOf(slot) - 1]);
    expect(block?.previousBlockhash).toBe(parent?.blockhash);
    parent = block;
  }
});

it('waits for the time of skipped slots', async () => {
  const connection = network.connection();
  while ((await connection.getSlot()) % 10 !== 2) await network.devnet.hooks.advance(1);
  const start = await connection.getSlot();
  const passed: number[] = [];
  for (let tick = 0; tick < 9; tick += 1) {
    await network.devnet.hooks.advance(1);
    passed.push((await connection.getSlot()) - start);
  }
  expect(passed).toEqual([1, 2, 3, 4, 5, 6, 8, 8, 9]);
});

it.each([
  ['a skipped slot', 49, -32007],
  ['a slot to come', 1_000_000, -32004],
])('says why it has no block for %s', async (_, slot, code) => {
  expect(await call('getBlock', slot)).toMatchObject({ error: { code } });
  expect(await call('getBlockTime', slot)).toMatchObject({ error: { code } });
});

it('reports an old skipped slot as missing in long-term storage', async () => {
  await network.devnet.hooks.advance(160);
  expect(await call('getBlock', 9)).toMatchObject({ error: { code: -32009 } });
});

it('returns a confirmed block before it is finalized', async () => {
  const connection = network.connection('confirmed');
  const slot = await connection.getSlot();
  expect(await connection.getBlock(slot, versions)).not.toBeNull();
  expect(await call('getBlock', slot, { commitment: 'finalized' })).toMatchObject({
    error: { code: -32004 },
  });
  expect(await call('getBlock', slot, { commitment: 'processed' })).toMatchObject({
    error: { code: -32602 },
  });
});

it('limits lists of slots', async () => {
  expect(await call('getBlocksWithLimit', 7, 4)).toMatchObject({ result: [7, 8, 10, 11] });
  expect(await call('getBlocks', 7, { commitment: 'confirmed' })).toMatchObject({
    result: expect.arrayContaining([7, 8, 10]) as unknown,
  });
  expect(await call('getBlocks', 0, 600_000)).toMatchObject({ error: { code: -32602 } });
});

it('returns a block in every encoding and detail', async () => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  const signature = await sendSol(connection, from, to, SOL);
  await network.devnet.hooks.advance(2);
  const { slot } = (await connection.getTransaction(signature, versions))!;
  const options = { ...versions, commitment: 'confirmed' };

  const full = await connection.getBlock(slot, versions);
  expect(full?.transactions.map(({ transaction }) => transaction.signatures[0])).toContain(signature);
  expect(full).toMatchObject({ blockHeight: expect.any(Number) as unknown, rewards: [] });
  const parsed = await connection.getParsedBlock(slot, versions);
  expect(parsed.transactions.at(-1)?.transaction).toMatchObject({
    message: { instructions: [{ program: 'system' }] },
  });
  const accounts = await connection.getBlock(slot, { ...versions, transactionDetails: 'accounts' });
  expect(accounts?.transactions.at(-1)?.transaction).toMatchObject({
    accountKeys: [{ pubkey: from.publicKey, signer: true, writable: true }, {}, {}],
  });
  const none = await connection.getBlock(slot, { ...versions, transactionDetails: 'none', rewards: false });
  expect(none).not.toHaveProperty('transactions');
  const { result: signatures } = await call('getBlock', slot, {
    ...options,
    transactionDetails: 'signatures',
  });
  expect((signatures as { signatures: string[] }).signatures.at(-1)).toBe(signature);
  const { result: raw } = await call('getBlock', slot, { ...options, encoding: 'base64' });
  const last = (raw as { transactions: { transaction: [string, string] }[] }).transactions.at(-1)!;
  expect(Buffer.from(last.transaction[0], 'base64').subarray(1, 65)).toHaveLength(64);
  expect(await connection.getBlockTime(slot)).toBeGreaterThan(1_600_000_000);
});

it('deletes old blocks beyond the limit, and reports that', async () => {
  const devnet = await manualDevnet({ keepSlots: 100 });
  await devnet.hooks.advance(520);
  const { result: first } = await rpc(devnet.url, 'getFirstAvailableBlock');
  expect(first).toBeGreaterThan(0);
  expect(await rpc(devnet.url, 'getBlock', [1])).toMatchObject({ error: { code: -32001 } });
  await devnet.close();
});
