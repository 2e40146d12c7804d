import { Keypair } from '@solana/web3.js';
import request from 'supertest';
import { createTestApp } from '../../../test/app';
import { devnetForTests, funded, sendSol, SOL } from '../../../test/devnet/solana';
import { solanaControl } from './control';

const network = devnetForTests({ confirmedAfter: 1, finalizedAfter: 8 });
const post = (path: string, body: object) => {
  const routers = [solanaControl(new Map([['devnet', network.devnet]]))];
  const app = createTestApp([], { routers });
  return request(app).post(path).send(body);
};

test.each([
  ['drop', 0],
  ['include', 3],
] as const)('a fork of three slots can %s their transactions', async (transactions, remaining) => {
  const connection = network.connection('confirmed');
  const [from, to] = [await funded(network.devnet), Keypair.generate()];
  await network.devnet.hooks.advance(12);
  const sent: string[] = [];
  for (let n = 0; n < 3; n++) {
    sent.push(await sendSol(connection, from, to, SOL));
    await network.devnet.hooks.advance(1);
  }
  expect(await connection.getBalance(to.publicKey)).toBe(3 * SOL);
  const { status, body } = await post('/devnet/solana/fork', { network: 'devnet', slots: 3, transactions });
  expect([status, body.droppedSignatures]).toEqual([200, sent]);
  await network.devnet.hooks.advance(2);
  expect(await connection.getBalance(to.publicKey)).toBe(remaining * SOL);
  const listed = await connection.getSignaturesForAddress(to.publicKey);
  expect(listed).toHaveLength(remaining);
  for (const { slot } of listed) expect(slot).toBeGreaterThan(Math.max(...body.droppedSlots));
});

test('slots are skipped on demand', async () => {
  const connection = network.connection('processed');
  await network.devnet.hooks.advance(1);
  const open = await connection.getSlot();
  expect((await post('/devnet/solana/skip', { network: 'devnet', slots: 4 })).body).toEqual({
    network: 'devnet',
    skippedSlots: 4,
  });
  await network.devnet.hooks.advance(12);
  const slots = await network.connection('confirmed').getBlocks(open - 1, open + 7);
  expect(slots).toEqual([open - 1, open, open + 5, open + 6, open + 7]);
  const block = await network
    .connection('confirmed')
    .getBlock(open + 5, { maxSupportedTransactionVersion: 0 });
  expect(block!.parentSlot).toBe(open);
  await expect(network.connection('confirmed').getBlock(open + 1)).rejects.toThrow(/was skipped/);
});

test.each([
  [{ network: 'devnet', slots: 8 }, '/body/slots'],
  [{ network: 'devnet', slots: 0 }, '/body/slots'],
  [{ network: 'devnet', slots: 1.5 }, '/body/slots'],
  [{ network: 'testnet', slots: 1 }, '/body/network'],
  [{ network: 'devnet', slots: 1, transactions: 'keep' }, '/body/transactions'],
  [{ network: 'devnet', slots: 1, depth: 2 }, '/body/depth'],
  [{}, '/body/slots'],
])('%j is refused, naming %s, and finalized blocks stay', async (body, pointer) => {
  const connection = network.connection('finalized');
  const slot = await connection.getSlot();
  const answer = await post('/devnet/solana/fork', body);
  expect(answer.status).toBe(400);
  expect((answer.body as { errors: { pointer: string }[] }).errors[0]!.pointer).toBe(pointer);
  expect(await connection.getSlot()).toBe(slot);
});

test('a network that is not local is not found', async () => {
  expect((await post('/devnet/solana/fork', { network: 'mainnet', slots: 1 })).status).toBe(404);
});
