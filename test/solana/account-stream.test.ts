import type * as Spl from '@solana/spl-token' with { 'resolution-mode': 'import' };
import { once } from 'node:events';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import { WebSocket } from 'ws';
import { USDC } from '../../contracts/chain/usdc';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { createSolanaClient } from '../../infra/engines/solana-client/solana-client';
import { startFaultyProxy, type FaultyProxy } from '../servers/faulty-proxy';
import { until } from '../until';
import { startLocalNetwork, type LocalNetwork } from './local-network';
import { startProgram, type Program } from './program';
import { connectWalletApp, type WalletApp } from './wallet-app';

/** The account stream as a wallet uses it, on a real local network behind a proxy that can fail. */

let spl: typeof Spl;
let network: LocalNetwork;
let proxy: FaultyProxy;
let program: Program;
let url: string;
let alice: Keypair;
const apps: WalletApp[] = [];
const stop = new AbortController();

beforeAll(async () => {
  spl = await import('@solana/spl-token');
  network = await startLocalNetwork({ slotMs: 50 });
  proxy = await startFaultyProxy({ port: Number(new URL(network.devnet.url).port) });
  const node = `127.0.0.1:${proxy.port}`;
  const client = createSolanaClient({
    urls: [{ url: `http://${node}`, ws: `ws://${node}` }],
    logger: network.logger,
    timeoutMs: 60_000,
    signal: stop.signal,
  });
  program = await startProgram({ ...network, client });
  url = await program.listen();
  alice = await network.rich();
});
afterEach(() => {
  for (const { errors } of apps) expect(errors).toEqual([]);
  for (const { socket } of apps.splice(0)) socket.terminate();
});
afterAll(async () => {
  stop.abort();
  await program?.stop();
  await proxy?.close();
  await network?.close();
});

const pathOf = (address: PublicKey): string => `/solana/mainnet/account/${address.toBase58()}/ws`;
async function connect(
  address: PublicKey | string,
  onMessage?: Parameters<typeof connectWalletApp>[1],
): Promise<WalletApp> {
  const app = await connectWalletApp(
    typeof address === 'string' ? address : `${url}${pathOf(address)}`,
    onMessage,
  );
  apps.push(app);
  return app;
}

const pay = (from: Keypair, to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });

async function history(address: PublicKey): Promise<string[]> {
  const { status, body } = await program.post('/solana/transactions/mainnet', {
    address: address.toBase58(),
  });
  // Nothing is known while nothing was read.
  if (status === 503) return [];
  return (body as EnhancedTransaction[]).map(({ signature }) => signature);
}
/** Reads the histories when a message arrives, and keeps those that include a signature. */
function historiesAtMessages(address: PublicKey) {
  const reads: Promise<string[]>[] = [];
  return {
    onMessage: () => void reads.push(history(address)),
    /** Of the message at the slot of a transaction, or later. */
    first: async (app: WalletApp, slot: number) => {
      const at = await until(
        () => app.messages().findIndex(({ data }) => data.result.context.slot >= slot),
        index => index >= 0,
      );
      return reads[at]!;
    },
    last: async () => reads.at(-1) ?? [],
  };
}
const slotOf = async (signature: string): Promise<number> =>
  (await network.connection.getSignatureStatus(signature, { searchTransactionHistory: true })).value!.slot;

test('both sides are notified of a transfer, once the history includes it, as the node would notify of it', async () => {
  const bob = Keypair.generate();
  const carol = await network.rich();
  const readings = [carol.publicKey, bob.publicKey].map(historiesAtMessages);
  const ends = await Promise.all(
    [carol, bob].map(({ publicKey }, i) => connect(publicKey, readings[i]!.onMessage)),
  );
  expect(ends.map(({ frames }) => frames[0])).toEqual([{ event: 'connected' }, { event: 'connected' }]);

  const signature = await network.send([pay(carol, bob.publicKey, 1_000_000)], [carol]);
  const slot = await slotOf(signature);
  for (const [i, app] of ends.entries()) expect(await readings[i]!.first(app, slot)).toContain(signature);

  for (const [i, { publicKey }] of [carol, bob].entries()) {
    const info = await network.connection.getAccountInfo(publicKey);
    const { lamports, owner, executable, rentEpoch } = info!;
    const [last] = await until(
      () => ends[i]!.messages().slice(-1),
      ([message]) => message?.data.result.value?.lamports === lamports,
    );
    expect(last!.data.result.value).toEqual({
      lamports,
      owner: owner.toBase58(),
      data: ['', 'base64'],
      executable,
      rentEpoch,
      space: 0,
    });
  }
});

test('the epoch of rent is exact, which no number of JavaScript is', async () => {
  const socket = new WebSocket(`${url}${pathOf(alice.publicKey)}`.replace('http', 'ws'));
  const texts: string[] = [];
  socket.on('message', (text: Buffer) => texts.push(text.toString()));
  try {
    await once(socket, 'open');
    await network.send([pay(alice, Keypair.generate().publicKey, 1_000_000)], [alice]);
    await until(
      () => texts.filter(text => text.includes('lamports')),
      messages => messages.length > 0,
    );
    expect(texts.at(-1)).toContain('"rentEpoch":18446744073709551615,');
  } finally {
    socket.terminate();
  }
});

test('watchers are notified of an account that is created, with its owner and size', async () => {
  const mint = new PublicKey(USDC.mainnet);
  const owner = Keypair.generate().publicKey;
  const account = spl.getAssociatedTokenAddressSync(mint, owner);
  const app = await connect(account);
  await network.send(
    [spl.createAssociatedTokenAccountInstruction(alice.publicKey, account, owner, mint)],
    [alice],
  );
  const { lamports } = (await until(
    () => network.connection.getAccountInfo(account),
    found => found !== null,
  ))!;
  await until(
    () => app.messages().at(-1)?.data.result.value,
    value =>
      value?.lamports === lamports &&
      value.owner === spl.TOKEN_PROGRAM_ID.toBase58() &&
      value.space === spl.ACCOUNT_SIZE,
  );
});

test('an owner is notified of tokens that arrive at its token account, when the history of both includes them', async () => {
  const mint = new PublicKey(USDC.mainnet);
  const owner = Keypair.generate().publicKey;
  const account = spl.getAssociatedTokenAddressSync(mint, owner);
  const reading = historiesAtMessages(account);
  await connect(owner, reading.onMessage);
  const created = await network.send(
    [spl.createAssociatedTokenAccountInstruction(alice.publicKey, account, owner, mint)],
    [alice],
  );
  // Paid rent only; it mentions the token account, not its owner.
  const rent = await network.send([pay(alice, account, 5_000)], [alice]);
  await until(reading.last, signatures => signatures.length === 2);
  expect(await reading.last()).toEqual([rent, created]);
});

test('watchers are notified of a change while the node cannot be reached when it can', async () => {
  const frank = Keypair.generate().publicKey;
  const app = await connect(frank);
  const before = await network.send([pay(alice, frank, 2_000_000)], [alice]);
  const known = await slotOf(before);
  await until(() => app.messages().some(({ data }) => data.result.context.slot >= known));
  proxy.reset();
  const missed = await network.send([pay(alice, frank, 2_000_001)], [alice]);
  const slot = await slotOf(missed);
  proxy.restore();
  await until(() => app.messages().some(({ data }) => data.result.context.slot >= slot));
  expect(await history(frank)).toEqual([missed, before]);
});

test('a client that connects again is told what happened while it was away', async () => {
  const erin = Keypair.generate().publicKey;
  const app = await connect(erin);
  const before = await network.send([pay(alice, erin, 2_000_000)], [alice]);
  const known = await slotOf(before);
  await until(() => app.messages().some(({ data }) => data.result.context.slot >= known));
  app.socket.terminate();
  await app.closed();
  const missed = await network.send([pay(alice, erin, 2_000_001)], [alice]);
  await until(
    () => history(erin),
    signatures => signatures.includes(missed),
  );
  const reading = historiesAtMessages(erin);
  const again = await connect(erin, reading.onMessage);
  expect(await reading.first(again, await slotOf(missed))).toEqual([missed, before]);
  expect(again.frames.map(({ event }) => event)).toEqual(['connected', 'message']);
});

test('another program on the same engines notifies of what this one indexes, and clients may reconnect to it', async () => {
  const grace = Keypair.generate().publicKey;
  let other = await startProgram(network, { folder: program.folder });
  try {
    for (const lamports of [2_000_000, 2_000_001]) {
      const reading = historiesAtMessages(grace);
      const app = await connect(`${await other.listen()}${pathOf(grace)}`, reading.onMessage);
      const paid = await network.send([pay(alice, grace, lamports)], [alice]);
      expect(await reading.first(app, await slotOf(paid))).toContain(paid);
      await other.stop();
      expect(await app.closed()).toBe(1001);
      other = await startProgram(network, { folder: program.folder });
    }
  } finally {
    await other.stop();
  }
});

test.each([
  ['/solana/ropsten/account/11111111111111111111111111111112/ws', '/path/network'],
  ['/solana/mainnet/account/nobody/ws', '/path/address'],
])('%s is refused before the upgrade, naming %s', async (path, pointer) => {
  const socket = new WebSocket(`${url}${path}`);
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    AsyncIterable<Buffer> & { statusCode: number },
  ];
  expect(response.statusCode).toBe(400);
  let text = '';
  for await (const chunk of response) text += chunk.toString();
  const { errors } = JSON.parse(text) as { errors: { pointer: string }[] };
  expect(errors.map(error => error.pointer)).toEqual([pointer]);
});

test('what a client sends is ignored, up to a size', async () => {
  const app = await connect(alice.publicKey);
  for (const text of ['{"method":"accountSubscribe"}', 'not JSON', 'x'.repeat(1_000)]) app.socket.send(text);
  app.socket.send(Buffer.alloc(100));
  await network.send([pay(alice, Keypair.generate().publicKey, 1_000_000)], [alice]);
  await until(() => app.messages().length > 0);
  app.socket.send('x'.repeat(2_000));
  expect(await app.closed()).toBe(1009);
});
