import type * as Spl from '@solana/spl-token' with { 'resolution-mode': 'import' };
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
  sendAndConfirmTransaction,
} from '@solana/web3.js';
import { encodeBase58 } from '../../contracts/encoding/base58';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { LOCAL_TOKENS } from '../../infra/devnet/solana/genesis/local-tokens';
import { listReader } from '../../services/reads/read-list';
import { readMentions } from '../../services/solana/transactions';
import { until } from '../until';
import { startLocalNetwork, type LocalNetwork } from './local-network';
import { startProgram, type Program } from './program';

/** What a wallet sees of a real local network, through HTTP. */

let spl: typeof Spl;
let network: LocalNetwork;
let program: Program;
let alice: Keypair;

beforeAll(async () => {
  spl = await import('@solana/spl-token');
  network = await startLocalNetwork({ slotMs: 50 });
  program = await startProgram(network);
  alice = await network.rich();
});
afterAll(async () => {
  await program?.stop();
  await network?.close();
});

const pay = (from: Keypair, to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });

/** Retries on a 503, as clients do: on a busy machine the first answer may be one. */
async function read<T>(path: string, body: object): Promise<T> {
  const answer = await until(
    () => program.post(path, body),
    ({ status }) => status !== 503,
  );
  return answer.body as T;
}
const history = (address: PublicKey, query: object = {}): Promise<EnhancedTransaction[]> =>
  read('/solana/transactions/mainnet', { address: address.toBase58(), ...query });
const signatures = (items: readonly Pick<EnhancedTransaction, 'signature'>[]): string[] =>
  items.map(({ signature }) => signature);
const status = async (signature: string): Promise<Record<string, unknown> | null> => {
  const { status: code, body } = await program.post('/solana/transaction/mainnet', { signature });
  expect(code).toBe(200);
  return body as Record<string, unknown> | null;
};

test('a transfer by an unmodified Connection appears, with its past, in order', async () => {
  const bob = Keypair.generate().publicKey;
  const before = await network.send([pay(alice, bob, 1_000_000)], [alice]);
  expect(
    signatures(
      await until(
        () => history(bob),
        items => items.length === 1,
      ),
    ),
  ).toEqual([before]);

  const transaction = new Transaction().add(pay(alice, bob, 2_000_000));
  const live = await sendAndConfirmTransaction(network.connection, transaction, [alice]);
  const items = await until(
    () => history(bob),
    items => items.length === 2,
  );
  expect(signatures(items)).toEqual([live, before]);
  expect(items[0]).toMatchObject({
    type: 'TRANSFER',
    feePayer: alice.publicKey.toBase58(),
    nativeTransfers: [{ toUserAccount: bob.toBase58(), amount: 2_000_000 }],
    transactionError: null,
  });

  expect(signatures(await history(bob, { limit: 1 }))).toEqual([live]);
  expect(signatures(await history(bob, { before: live }))).toEqual([before]);
  expect(signatures(await history(bob, { until: before }))).toEqual([live]);
  expect(await history(bob, { type: 'SWAP' })).toEqual([]);
  expect(signatures(await history(bob, { type: 'TRANSFER', source: 'SYSTEM_PROGRAM' }))).toEqual([
    live,
    before,
  ]);
  const final = await until(
    () => history(bob, { commitment: 'finalized' }),
    items => items.length === 2,
  );
  expect(signatures(final)).toEqual([live, before]);
});

test('the balance follows the transactions without reading from the network again', async () => {
  const carol = await network.rich();
  const address = carol.publicKey.toBase58();
  const balance = async () =>
    (await read<{ balance: string }>('/solana/account/mainnet', { address })).balance;
  expect(await balance()).toBe('10000000000');
  await network.send([pay(carol, alice.publicKey, 1_500_000_000)], [carol]);
  await until(balance, lamports => lamports === '8499995000');
  const nobody = Keypair.generate().publicKey.toBase58();
  expect(await read('/solana/account/mainnet', { address: nobody })).toEqual({
    balance: '0',
    address: nobody,
  });
});

test('tokens that reach a token account are in its own history and in that of its mint, and not in that of its owner', async () => {
  const dave = Keypair.generate().publicKey;
  const mint = Keypair.generate();
  const rent = await network.connection.getMinimumBalanceForRentExemption(spl.MINT_SIZE);
  const [ofAlice, ofDave] = [alice.publicKey, dave].map(owner =>
    spl.getAssociatedTokenAddressSync(mint.publicKey, owner),
  ) as [PublicKey, PublicKey];
  await network.send(
    [
      SystemProgram.createAccount({
        fromPubkey: alice.publicKey,
        newAccountPubkey: mint.publicKey,
        space: spl.MINT_SIZE,
        lamports: rent,
        programId: spl.TOKEN_PROGRAM_ID,
      }),
      spl.createInitializeMint2Instruction(mint.publicKey, 3, alice.publicKey, null),
      spl.createAssociatedTokenAccountInstruction(alice.publicKey, ofAlice, alice.publicKey, mint.publicKey),
      spl.createMintToInstruction(mint.publicKey, ofAlice, alice.publicKey, 9_000n),
    ],
    [alice, mint],
  );
  const created = await network.send(
    [spl.createAssociatedTokenAccountInstruction(alice.publicKey, ofDave, dave, mint.publicKey)],
    [alice],
  );
  const move = spl.createTransferInstruction(ofAlice, ofDave, alice.publicKey, 2_500n);
  const past = await network.send([move], [alice]);
  const byMint = { mint: mint.publicKey.toBase58() };
  const list = await until(
    () => history(dave, byMint),
    items => items.length === 2,
  );
  expect(signatures(list)).toEqual([past, created]);
  const listed = await network.connection.getSignaturesForAddress(dave);
  expect(listed.map(({ signature }) => signature)).toEqual([created]);
  expect(signatures(await history(dave))).toEqual([created]);

  const tokens = () =>
    read<Record<string, unknown>[]>('/solana/tokens/mainnet', { address: dave.toBase58() });
  expect(await tokens()).toMatchObject([
    {
      address: mint.publicKey.toBase58(),
      amount: '2500',
      uiAmount: 2.5,
      decimals: 3,
      chainId: 101,
      supply: '9000',
    },
  ]);
  const live = await network.send(
    [spl.createTransferInstruction(ofAlice, ofDave, alice.publicKey, 500n)],
    [alice],
  );
  await until(
    () => history(dave, byMint),
    items => items.length === 3,
  );
  expect((await tokens())[0]).toMatchObject({ amount: '3000' });

  expect(signatures(await history(dave, byMint))).toEqual([live, past, created]);
  const ofAccount = await until(
    () => history(ofDave, { ...byMint, limit: 2 }),
    items => items.length === 2,
  );
  expect(signatures(ofAccount)).toEqual([live, past]);
  expect(signatures(await history(ofDave, { ...byMint, before: past }))).toEqual([created]);
  expect(await history(dave, { mint: alice.publicKey.toBase58() })).toEqual([]);
});

test('the history by mint has what used a token account that the same transaction created and closed, also when it failed', async () => {
  const erin = await network.rich();
  const mint = Keypair.generate();
  const account = spl.getAssociatedTokenAddressSync(mint.publicKey, erin.publicKey);
  const rent = await network.connection.getMinimumBalanceForRentExemption(spl.MINT_SIZE);
  await network.send(
    [
      SystemProgram.createAccount({
        fromPubkey: alice.publicKey,
        newAccountPubkey: mint.publicKey,
        space: spl.MINT_SIZE,
        lamports: rent,
        programId: spl.TOKEN_PROGRAM_ID,
      }),
      spl.createInitializeMint2Instruction(mint.publicKey, 0, alice.publicKey, null),
    ],
    [alice, mint],
  );
  const within = (...instructions: Parameters<LocalNetwork['send']>[0]) =>
    network.send(
      [
        spl.createAssociatedTokenAccountInstruction(alice.publicKey, account, erin.publicKey, mint.publicKey),
        ...instructions,
        spl.createCloseAccountInstruction(account, erin.publicKey, erin.publicKey),
      ],
      [alice, erin],
    );
  const empty = await within();
  const byMint = { mint: mint.publicKey.toBase58() };
  // What a backfill finds, and what the tail does.
  await until(
    async () => signatures(await history(erin.publicKey, byMint)),
    found => found.join() === empty,
  );
  const used = await within(
    spl.createMintToInstruction(mint.publicKey, account, alice.publicKey, 5n),
    spl.createBurnInstruction(account, mint.publicKey, erin.publicKey, 5n),
  );
  const failed = await within(spl.createBurnInstruction(account, mint.publicKey, erin.publicKey, 1n));
  const all = [failed, used, empty];
  for (const each of [erin.publicKey, account])
    await until(
      async () => signatures(await history(each, byMint)),
      found => found.join() === all.join(),
    );
  const [newest] = await history(erin.publicKey, { ...byMint, limit: 1 });
  expect(newest!.transactionError).not.toBeNull();
  expect(signatures(await history(erin.publicKey, { ...byMint, before: used }))).toEqual([empty]);
  expect(await history(erin.publicKey, { mint: alice.publicKey.toBase58() })).toEqual([]);
});

test('a wallet has each transaction once that the node lists for the owner or its token account', async () => {
  const frank = await network.rich();
  const [{ mint: usdc }] = LOCAL_TOKENS.mainnet;
  const mint = new PublicKey(usdc);
  const account = spl.getAssociatedTokenAddressSync(mint, frank.publicKey);
  const accounts = [frank.publicKey, account].map(each => each.toBase58());
  const create = (payer: Keypair) =>
    spl.createAssociatedTokenAccountInstruction(payer.publicKey, account, frank.publicKey, mint);
  const close = spl.createCloseAccountInstruction(account, frank.publicKey, frank.publicKey);
  await network.send([create(frank)], [frank]);
  await network.send([pay(frank, alice.publicKey, 5_000_000)], [frank]);
  await network.send([close], [frank]);
  await network.send([create(alice)], [alice]);
  await network.send([pay(alice, account, 7)], [alice]);
  await network.send([close, pay(frank, alice.publicKey, 900_000_000_000)], [frank]);
  const listed = await Promise.all(
    [frank.publicKey, account].map(each => network.connection.getSignaturesForAddress(each)),
  );
  const slots = new Map(listed.flat().map(({ signature, slot }) => [signature, slot]));
  const reading = {
    readList: listReader({ listWaitMs: 60_000 }, new AbortController()),
    reader: { ip: '192.0.2.1', appendHeader: () => undefined },
  };
  const read = (before: readonly string[], limit: number) =>
    readMentions(
      program.reads,
      'mainnet',
      accounts,
      { limit, before: before.map(signature => ({ signature, pointer: '/before' })) },
      reading,
    );
  const items = await until(
    () => read([], 50),
    page => page.length >= slots.size,
  );
  expect(signatures(items).sort()).toEqual([...slots.keys()].sort());
  expect(items.map(({ slot }) => slot)).toEqual([...slots.values()].sort((a, b) => b - a));
  const paged: string[] = [];
  for (let page = await read([], 2); page.length > 0; page = await read(paged.slice(-1), 2))
    paged.push(...signatures(page));
  expect(paged).toEqual(signatures(items));
});

test('tokens have the names that the chain stores', async () => {
  const owner = Keypair.generate().publicKey;
  const [usdc, shells] = LOCAL_TOKENS.mainnet;
  await network.send(
    [usdc, shells].map(({ mint }) => {
      const key = new PublicKey(mint);
      const account = spl.getAssociatedTokenAddressSync(key, owner);
      return spl.createAssociatedTokenAccountInstruction(alice.publicKey, account, owner, key);
    }),
    [alice],
  );
  const tokens = await read<{ address: string }[]>('/solana/tokens/mainnet', { address: owner.toBase58() });
  const named = tokens.sort((a, b) => (a.address < b.address ? -1 : 1));
  expect(named).toMatchObject(
    [usdc, shells]
      .map(({ mint, name, symbol, decimals }) => ({ address: mint, name, symbol, decimals, amount: '0' }))
      .sort((a, b) => (a.address < b.address ? -1 : 1)),
  );
});

test('the status of a transaction of any account, watched or not', async () => {
  const unknown = '5'.repeat(87);
  expect(await status(unknown)).toBeNull();

  const stranger = await network.rich();
  const elsewhere = await network.send([pay(stranger, Keypair.generate().publicKey, 1_000_000)], [stranger]);
  const found = await until(
    () => status(elsewhere),
    answer => answer?.['confirmationStatus'] === 'finalized',
  );
  expect(found).toMatchObject({ err: null, confirmations: null, status: 'confirmed' });

  await history(alice.publicKey);
  const failed = await network.send([pay(alice, stranger.publicKey, 900_000_000_000)], [alice]);
  expect(
    await until(
      () => status(failed),
      answer => answer !== null,
    ),
  ).toMatchObject({
    err: { InstructionError: [0, { Custom: 1 }] },
    status: 'failed',
  });
});

test('signatures that no node knows leave no job, record or document', async () => {
  const add = jest.spyOn(program.engines.jobs, 'add');
  const made = Array.from({ length: 50 }, () => encodeBase58(Keypair.generate().secretKey));
  const found = await Promise.all(made.map(status));
  expect(new Set(found)).toEqual(new Set([null]));
  const queues = add.mock.calls.map(([{ queue }]) => queue);
  add.mockRestore();
  expect(queues.filter(queue => queue.startsWith('observe-'))).toEqual([]);
});

test('the fee is the one that the network reports', async () => {
  const { blockhash } = await network.connection.getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: alice.publicKey,
    recentBlockhash: blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: 123_457 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 98_765 }),
      pay(alice, Keypair.generate().publicKey, 1),
    ],
  }).compileToV0Message();
  const transaction = Buffer.from(new VersionedTransaction(message).serialize()).toString('base64');
  const { value } = await network.connection.getFeeForMessage(message);
  expect((await program.post('/solana/transaction/fees/mainnet', { transaction })).body).toEqual({ value });
  const legacy = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash } as never).add(
    pay(alice, Keypair.generate().publicKey, 1),
  );
  const unsigned = legacy.serialize({ requireAllSignatures: false }).toString('base64');
  expect((await program.post('/solana/transaction/fees/mainnet', { transaction: unsigned })).body).toEqual({
    value: 5_000,
  });
});

const good = '11111111111111111111111111111112';
test.each([
  ['/solana/account/ropsten', { address: good }, '/path/network'],
  ['/solana/account/mainnet', {}, '/body/address'],
  ['/solana/account/mainnet', { address: 'EQ'.repeat(24) }, '/body/address'],
  ['/solana/tokens/devnet', { address: 12 }, '/body/address'],
  ['/solana/transactions/mainnet', { address: good, limit: 101 }, '/body/limit'],
  ['/solana/transactions/mainnet', { address: good, limit: 0 }, '/body/limit'],
  ['/solana/transactions/mainnet', { address: good, before: good }, '/body/before'],
  ['/solana/transactions/mainnet', { address: good, mint: '' }, '/body/mint'],
  ['/solana/transaction/mainnet', { signature: good }, '/body/signature'],
  ['/solana/transaction/fees/mainnet', { transaction: 'AAAA' }, '/body/transaction'],
  ['/solana/transaction/fees/mainnet', { transaction: '%' }, '/body/transaction'],
])('POST %s of %j is refused, naming %s', async (path, body, pointer) => {
  const answer = await program.post(path, body);
  expect(answer.status).toBe(400);
  expect((answer.body as { errors: { pointer: string }[] }).errors.map(error => error.pointer)).toContain(
    pointer,
  );
});

test('without the network the last known values are served, and a 503 for what was never read', async () => {
  const address = alice.publicKey.toBase58();
  const known = await read<object>('/solana/account/mainnet', { address });
  await network.devnet.close();
  expect((await program.post('/solana/account/mainnet', { address })).body).toEqual(known);
  expect((await history(alice.publicKey)).length).toBeGreaterThan(0);
  const stranger = { address: Keypair.generate().publicKey.toBase58() };
  // Each waits for the network; all at once.
  const [unknown, ...refused] = await Promise.all([
    status('4'.repeat(87)),
    ...['account', 'tokens', 'transactions'].map(path => program.post(`/solana/${path}/mainnet`, stranger)),
  ]);
  expect(unknown).toBeNull();
  for (const answer of refused) {
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ code: 'not_ready' });
    expect(answer.headers['retry-after']).toBe('2');
  }
});
