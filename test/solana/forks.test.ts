import { Keypair, SystemProgram, Transaction, type PublicKey } from '@solana/web3.js';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { funded, SOL } from '../devnet/solana';
import { until } from '../until';
import { startLocalNetwork, type LocalNetwork } from './local-network';
import { startProgram, type Program } from './program';
import { connectWalletApp } from './wallet-app';

/** A fork of a real local network, whose slots pass on demand, as a wallet sees it through HTTP. */

const FINALIZED_AFTER = 12;
const TON = `0:${'1'.repeat(64)}`;

let network: LocalNetwork;
let program: Program;
let alice: Keypair;

beforeAll(async () => {
  network = await startLocalNetwork({ slotMs: 0, finalizedAfter: FINALIZED_AFTER });
  alice = await funded(network.devnet, 100);
  await network.devnet.hooks.advance(FINALIZED_AFTER + 1);
  program = await startProgram(network);
});
afterAll(async () => {
  await program?.stop();
  await network?.close();
});

/** Checks until it does not throw. */
const eventually = (check: () => Promise<void>): Promise<boolean> => until(() => check().then(() => true));

const history = async (address: PublicKey): Promise<EnhancedTransaction[]> => {
  const body = { address: address.toBase58(), limit: 100 };
  return (await program.post('/solana/transactions/mainnet', body)).body as EnhancedTransaction[];
};

const historyV3 = async (address: PublicKey): Promise<EnhancedTransaction[]> => {
  const account = { tonAddress: TON, solanaAddress: address.toBase58() };
  const { body } = await program.post('/transactions/v3', {
    account,
    network: 'mainnet',
    cursor: {},
    limit: 100,
  });
  return (body as { data: { data: EnhancedTransaction }[] }).data.map(({ data }) => data);
};

const inOrder = (items: readonly { signature: string; slot: number }[]): string[] =>
  items.map(({ signature, slot }) => `${signature} in ${slot}`);

/** Both forms of history, and the balance, are exactly the node's. */
const expectAsTheNode = (address: PublicKey): Promise<boolean> =>
  eventually(async () => {
    const listed = inOrder(await network.connection.getSignaturesForAddress(address));
    expect(inOrder(await history(address))).toEqual(listed);
    expect(inOrder(await historyV3(address))).toEqual(listed);
    const { body } = await program.post('/solana/account/mainnet', { address: address.toBase58() });
    expect((body as { balance: string }).balance).toBe(String(await network.connection.getBalance(address)));
  });

/** Transfers to `to`, one in each of three slots, all confirmed and shown. */
async function paidInThreeSlots(to: PublicKey): Promise<string[]> {
  await expectAsTheNode(to);
  const signatures: string[] = [];
  for (let n = 1; n <= 3; n++) {
    const { blockhash } = await network.connection.getLatestBlockhash('finalized');
    const transaction = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash } as never);
    transaction.add(SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: to, lamports: n * SOL }));
    transaction.sign(alice);
    signatures.push(await network.connection.sendRawTransaction(transaction.serialize()));
    await network.devnet.hooks.advance(1);
  }
  await expectAsTheNode(to);
  expect((await history(to)).map(({ signature }) => signature)).toEqual([...signatures].reverse());
  return signatures;
}

const status = async (signature: string): Promise<unknown> =>
  (await program.post('/solana/transaction/mainnet', { signature })).body as unknown;

test('a fork of three slots that drops their transactions leaves nothing of them', async () => {
  const bob = Keypair.generate().publicKey;
  const signatures = await paidInThreeSlots(bob);
  const { droppedSignatures } = await network.devnet.hooks.fork({ blocks: 3 });
  expect(droppedSignatures).toEqual(signatures);
  await network.devnet.hooks.advance(2);
  await expectAsTheNode(bob);
  expect(await history(bob)).toEqual([]);
  await expectAsTheNode(alice.publicKey);
  for (const signature of signatures)
    await eventually(async () => expect(await status(signature)).toBeNull());
  await network.devnet.hooks.advance(FINALIZED_AFTER + 1);
  await expectAsTheNode(bob);
  await expectAsTheNode(alice.publicKey);
});

test('watchers of an account are notified of a fork that removes its transactions, once the history is without them', async () => {
  const erin = Keypair.generate().publicKey;
  const url = `${await program.listen()}/solana/mainnet/account/${erin.toBase58()}/ws`;
  const reads: Promise<EnhancedTransaction[]>[] = [];
  const app = await connectWalletApp(url, () => void reads.push(history(erin)));
  await paidInThreeSlots(erin);
  await until(
    () => reads.at(-1),
    items => items?.length === 3,
  );
  await network.devnet.hooks.fork({ blocks: 3 });
  await network.devnet.hooks.advance(2);
  await until(
    () => reads.at(-1),
    items => items?.length === 0,
  );
  expect(app.errors).toEqual([]);
  app.socket.terminate();
});

test('a fork of three slots that includes their transactions again moves each, once', async () => {
  const carol = Keypair.generate().publicKey;
  const signatures = await paidInThreeSlots(carol);
  const before = new Map((await history(carol)).map(({ signature, slot }) => [signature, slot]));
  await network.devnet.hooks.fork({ blocks: 3, replay: true });
  await network.devnet.hooks.advance(2);
  await eventually(async () => {
    const after = await history(carol);
    expect(after.map(({ signature }) => signature).sort()).toEqual([...signatures].sort());
    for (const { signature, slot } of after) expect(slot).toBeGreaterThan(before.get(signature)!);
  });
  await expectAsTheNode(carol);
  await expectAsTheNode(alice.publicKey);
  await network.devnet.hooks.advance(FINALIZED_AFTER + 1);
  await expectAsTheNode(carol);
  await expectAsTheNode(alice.publicKey);
});

test('a fork that skips slots, and another on top of it', async () => {
  const dave = Keypair.generate().publicKey;
  await paidInThreeSlots(dave);
  await network.devnet.hooks.skip(5);
  await network.devnet.hooks.fork({ blocks: 2, replay: true });
  await network.devnet.hooks.advance(8);
  await network.devnet.hooks.fork({ blocks: 1 });
  await network.devnet.hooks.advance(2);
  await expectAsTheNode(dave);
  await network.devnet.hooks.advance(FINALIZED_AFTER + 6);
  await expectAsTheNode(dave);
  await expectAsTheNode(alice.publicKey);
});

test('a page continues from a transaction that a fork has dropped, by its slot', async () => {
  const frank = Keypair.generate().publicKey;
  const kept = await paidInThreeSlots(frank);
  await network.devnet.hooks.advance(FINALIZED_AFTER + 1);
  await expectAsTheNode(frank);
  const address = frank.toBase58();
  const account = { tonAddress: TON, solanaAddress: address };
  const pageOf = async (query: object): Promise<string[]> => {
    const { status, body } = await program.post('/solana/transactions/mainnet', { address, ...query });
    expect({ status, body }).toMatchObject({ status: 200 });
    return (body as EnhancedTransaction[]).map(({ signature }) => signature);
  };
  // Each of another amount, so that none has the signature of another.
  let payments = 0;
  const pay = async (): Promise<string> => {
    const { blockhash } = await network.connection.getLatestBlockhash('finalized');
    const transaction = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash } as never);
    transaction.add(
      SystemProgram.transfer({
        fromPubkey: alice.publicKey,
        toPubkey: frank,
        lamports: SOL + 1_000 + ++payments,
      }),
    );
    transaction.sign(alice);
    const signature = await network.connection.sendRawTransaction(transaction.serialize());
    await network.devnet.hooks.advance(1);
    return signature;
  };
  const dropped = [await pay(), await pay()];
  await until(
    () => pageOf({}),
    items => items.length === 5,
  );
  await network.devnet.hooks.fork({ blocks: 2 });
  await network.devnet.hooks.advance(2);
  const newer = await pay();
  await network.devnet.hooks.advance(1);
  await until(
    () => pageOf({}),
    items => items.length === 4 && items[0] === newer,
  );

  const older = [...kept].reverse();
  for (const signature of dropped) {
    expect(await pageOf({ before: signature })).toEqual(older);
    expect(await pageOf({ before: signature, limit: 2 })).toEqual(older.slice(0, 2));
    expect(await pageOf({ until: signature })).toEqual([newer]);
    const cursor = { solana: { before: signature } };
    const { body } = await program.post('/transactions/v3', {
      account,
      network: 'mainnet',
      cursor,
      limit: 2,
    });
    const { data, hasMore } = body as { data: { data: EnhancedTransaction }[]; hasMore: boolean };
    expect(data.map(({ data }) => data.signature)).toEqual(older.slice(0, 2));
    expect(hasMore).toBe(true);
  }
});
