import { Keypair, SystemProgram, type PublicKey } from '@solana/web3.js';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { historyRemovalOf } from '../../infra/program/features/watch';
import { solanaTransactions } from '../../projections/solana/transactions/queries';
import { removeDueHistories } from '../../services/watch/keep-removing-histories';
import { watchTimes } from '../../services/watch/watch-times';
import { forget } from '../doubles/watched-accounts';
import { startLocalNetwork, type LocalNetwork } from './local-network';
import { startProgram, type Program } from './program';

/** Paging to the end of a history that is longer than the backfill reads at once. */

const TRANSACTIONS = 24;
const TON = `0:${'1'.repeat(64)}`;

let network: LocalNetwork;
let program: Program;
let alice: Keypair;
let bob: PublicKey;
let all: string[];
/** Of the clock that watches go by. */
let aheadMs = 0;

beforeAll(async () => {
  network = await startLocalNetwork({ slotMs: 60 });
  alice = await network.rich();
  bob = Keypair.generate().publicKey;
  for (let n = 1; n <= TRANSACTIONS; n++)
    await network.send(
      [SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob, lamports: 1_000_000 + n })],
      [alice],
    );
  all = (await network.connection.getSignaturesForAddress(bob)).map(({ signature }) => signature);
  while ((await network.connection.getSignatureStatus(all[0]!)).value?.confirmationStatus !== 'finalized')
    await network.client.waitForSlot(1_000);
  program = await startProgram(network, {
    settings: { SOLANA_BACKFILL_PAGE_SIZE: '4', SOLANA_BACKFILL_PART_SIZE: '8' },
    clock: () => new Date(Date.now() + aheadMs),
  });
});
afterAll(async () => {
  await program?.stop();
  await network?.close();
});

/** Repeats a request while it is answered with 503, as its `Retry-After` asks for. */
async function post(path: string, body: object): Promise<unknown> {
  for (;;) {
    const response = await program.post(path, body);
    if (response.status === 200) return response.body as unknown;
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('2');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
const page = (query: object): Promise<EnhancedTransaction[]> =>
  post('/solana/transactions/mainnet', { address: bob.toBase58(), ...query }) as Promise<
    EnhancedTransaction[]
  >;
const signaturesOf = (items: readonly EnhancedTransaction[]): string[] =>
  items.map(({ signature }) => signature);

test('every page is full until the history ends, each transaction once', async () => {
  expect(all).toHaveLength(TRANSACTIONS);
  const found: string[] = [];
  for (let before: string | undefined; ; before = found.at(-1)) {
    const items = await page({ limit: 7, ...(before && { before }) });
    found.push(...signaturesOf(items));
    if (items.length < 7) break;
  }
  expect(found).toEqual(all);
});

test('the history over both chains says that there is more while older transactions are read', async () => {
  const account = { tonAddress: TON, solanaAddress: alice.publicKey.toBase58() };
  const expected = (await network.connection.getSignaturesForAddress(alice.publicKey)).map(
    ({ signature }) => signature,
  );
  const found: string[] = [];
  for (let cursor: object = {}, hasMore = true; hasMore;) {
    const body = await post('/transactions/v3', { account, network: 'mainnet', cursor, limit: 9 });
    const read = body as { data: { data: EnhancedTransaction }[]; cursor: object; hasMore: boolean };
    found.push(...signaturesOf(read.data.map(({ data }) => data)));
    ({ cursor, hasMore } = read);
  }
  expect(found).toEqual(expected);
});

test('a signature of an account that nobody reads is a place in the chain; one that no node knows is refused', async () => {
  const carol = Keypair.generate().publicKey;
  const foreign = await network.send(
    [SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: carol, lamports: 1_000_000 })],
    [alice],
  );
  expect(signaturesOf(await page({ address: carol.toBase58(), before: foreign }))).toEqual([]);
  expect(signaturesOf(await page({ before: foreign, limit: 5 }))).toEqual(all.slice(0, 5));
  expect(await page({ before: all[3], until: foreign })).toEqual([]);

  const account = {
    tonAddress: TON,
    solanaAddress: bob.toBase58(),
  };
  const unknown = '5'.repeat(87);
  const v3 = (cursor: object): [string, object] => [
    '/transactions/v3',
    { account, network: 'mainnet', cursor },
  ];
  const list = (query: object): [string, object] => [
    '/solana/transactions/mainnet',
    { address: bob.toBase58(), ...query },
  ];
  for (const [[path, body], pointer] of [
    [list({ before: unknown }), '/body/before'],
    [list({ until: unknown }), '/body/until'],
    [list({ until: unknown, before: all[0] }), '/body/until'],
    [v3({ solana: { before: unknown } }), '/body/cursor/solana/before'],
    [v3({ solana: { before: all[0] }, solanaToken: { before: unknown } }), '/body/cursor/solanaToken/before'],
  ] as const) {
    const { status, body: problem } = await program.post(path, body);
    expect({ status, problem }).toMatchObject({
      status: 400,
      problem: { code: 'invalid_request', errors: [{ pointer, code: 'unknown_signature' }] },
    });
  }
});

test.each([
  [{ before: 'Ez' }, '/body/before'],
  [{ before: { $ne: null } }, '/body/before'],
  [{ until: 'x'.repeat(5_000) }, '/body/until'],
])('a cursor that is none is refused: %j', async (query, pointer) => {
  const answer = await program.post('/solana/transactions/mainnet', { address: bob.toBase58(), ...query });
  expect(answer.status).toBe(400);
  expect((answer.body as { errors: { pointer: string }[] }).errors[0]!.pointer).toBe(pointer);
});

test('an account that was forgotten has its history whole again, each page without a gap', async () => {
  aheadMs += watchTimes(30).expireAfterMs;
  const account = { chain: 'solana', network: 'mainnet', address: bob.toBase58() } as const;
  await forget(program.engines, account, new Date(Date.now() + aheadMs));
  for (let n = 1; n <= 9; n++)
    await network.send(
      [SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob, lamports: 2_000_000 + n })],
      [alice],
    );
  const expected = (await network.connection.getSignaturesForAddress(bob)).map(({ signature }) => signature);
  const found: string[] = [];
  for (let before: string | undefined; ; before = found.at(-1)) {
    const items = await page({ limit: 7, ...(before && { before }) });
    found.push(...signaturesOf(items));
    if (items.length < 7) break;
  }
  expect(expected).toHaveLength(TRANSACTIONS + 9);
  expect(found).toEqual(expected);
});

test('an account whose history was removed has it whole again, and nothing of it is left in between', async () => {
  const account = { chain: 'solana', network: 'mainnet', address: bob.toBase58() } as const;
  const expected = (await network.connection.getSignaturesForAddress(bob)).map(({ signature }) => signature);
  await page({ limit: 1 });
  aheadMs += watchTimes(30).expireAfterMs;
  await forget(program.engines, account, new Date(Date.now() + aheadMs));
  aheadMs += 90 * 86_400_000;
  const removal = { ...historyRemovalOf(program.deps)!, worker: 'test' };
  expect(await removeDueHistories(removal, program.deps.signal)).toBe(true);
  const known = solanaTransactions(program.views);
  expect(await known.history('mainnet', account.address)).toBeNull();
  expect(await known.page('mainnet', account.address, { limit: 10 })).toEqual([]);

  const found: string[] = [];
  for (let before: string | undefined; ; before = found.at(-1)) {
    const items = await page({ limit: 7, ...(before && { before }) });
    found.push(...signaturesOf(items));
    if (items.length < 7) break;
  }
  expect(expected.length).toBeGreaterThanOrEqual(TRANSACTIONS);
  expect(found).toEqual(expected);
  const { comparison } = await program.deps.engine.rebuild('solana-transactions', program.deps);
  expect(comparison).toMatchObject({ different: 0, inconclusive: 0 });
});
