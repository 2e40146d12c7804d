import { Connection, Keypair, LAMPORTS_PER_SOL, SystemProgram, Transaction } from '@solana/web3.js';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import { watchStream } from '../../contracts/events/watch';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { call, send } from '../e2e/client';
import type { LocalNetworks } from '../e2e/installation';
import type { Tidemark } from '../e2e/tidemark';
import { connectWalletApp, type WalletApp } from '../solana/wallet-app';
import { until } from '../until';
import { startDedicatedServers, type DedicatedServers } from './tidemark/dedicated-servers';
import { openFleet, type Fleet } from './tidemark/fleet';
import { LOCAL_MAINNETS } from '../local-networks';

/** The account stream across processes: what one indexes and another projects, a third announces. */

let servers: DedicatedServers;
let fleet: Fleet;
let one: Tidemark;
let other: Tidemark;
let node: Connection;
let payer: Keypair;
const apps: WalletApp[] = [];

beforeAll(async () => {
  servers = await startDedicatedServers();
  fleet = await openFleet(servers.settings, LOCAL_MAINNETS);
  const [networks] = await fleet.add('networks');
  await Promise.all([fleet.add('api', 2), fleet.add('indexer-solana jobs'), fleet.add('projections')]);
  [one, other] = fleet.of('api') as [Tidemark, Tidemark];
  const { solana } = (await send(networks!.url, 'GET', '/devnet')).body as LocalNetworks;
  const { endpoint, websocket } = solana.find(({ network }) => network === 'mainnet')!;
  node = new Connection(endpoint, { commitment: 'confirmed', wsEndpoint: websocket });
  payer = await funded();
});
afterAll(async () => {
  for (const { socket } of apps) socket.terminate();
  await fleet?.stop();
  await servers?.stop();
});

async function funded(): Promise<Keypair> {
  const account = Keypair.generate();
  await node.requestAirdrop(account.publicKey, 10 * LAMPORTS_PER_SOL);
  await until(
    () => node.getBalance(account.publicKey),
    balance => balance > 0,
  );
  return account;
}

/** As many as one page of a history has. */
const MAX_PAYMENTS = 100;

interface Payment {
  readonly signature: string;
  readonly slot: number;
}

let paid = 0;
/** Pays a different amount each time; resolves once the node has confirmed it. */
async function pay(to: Keypair): Promise<Payment> {
  const { blockhash } = await node.getLatestBlockhash();
  const lamports = LAMPORTS_PER_SOL / 100 + ++paid;
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash }).add(
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to.publicKey, lamports }),
  );
  transaction.sign(payer);
  const signature = await node.sendRawTransaction(transaction.serialize());
  const { value } = await until(
    () => node.getSignatureStatus(signature),
    status =>
      status.value?.confirmationStatus === 'confirmed' || status.value?.confirmationStatus === 'finalized',
  );
  return { signature, slot: value!.slot };
}

/** The signatures in the history that a program serves now, newest first. */
async function history({ url }: Tidemark, { publicKey }: Keypair): Promise<string[]> {
  const { status, body } = await call(url, 'POST', '/solana/transactions/mainnet', {
    body: { address: publicKey.toBase58(), limit: MAX_PAYMENTS },
  });
  return status === 200 ? (body as EnhancedTransaction[]).map(({ signature }) => signature) : [];
}

interface Watcher extends WalletApp {
  /** At each message: its slot, and the history that the same program served then. */
  readonly notifications: { readonly slot: number; readonly history: Promise<string[]> }[];
}

async function connect(program: Tidemark, account: Keypair): Promise<Watcher> {
  const notifications: Watcher['notifications'] = [];
  const url = `${program.url.replace('http', 'ws')}/solana/mainnet/account/${account.publicKey.toBase58()}/ws`;
  const app = await connectWalletApp(url, ({ data }) => {
    notifications.push({ slot: data.result.context.slot, history: history(program, account) });
  });
  apps.push(app);
  return { ...app, notifications };
}

const isNotified = ({ notifications }: Watcher, { slot }: Payment) =>
  until(() => notifications.some(each => each.slot >= slot));

/** The watchers of an account through both programs, once its history is whole: then nothing but payments is announced. */
async function watched(account: Keypair): Promise<Watcher[]> {
  const watchers = [
    await connect(one, account),
    await connect(other, account),
    await connect(other, account),
  ];
  for (const airdropAndPayments of [2, 3]) {
    const payment = await pay(account);
    await Promise.all(watchers.map(watcher => isNotified(watcher, payment)));
    for (const program of [one, other])
      await until(
        () => history(program, account),
        ({ length }) => length === airdropAndPayments,
      );
  }
  return watchers;
}

test('each change is announced once to every watcher, when the program it is connected to serves it', async () => {
  const account = await funded();
  const [watchers, bystanders] = await Promise.all([watched(account), watched(await funded())]);
  const before = bystanders.map(({ notifications }) => notifications.length);
  const payments: Payment[] = [];
  for (let n = 0; n < 5; n++) {
    const payment = await pay(account);
    await Promise.all(watchers.map(watcher => isNotified(watcher, payment)));
    payments.push(payment);
  }
  for (const { notifications, errors } of watchers) {
    expect(errors).toEqual([]);
    for (const { signature, slot } of payments) {
      const announced = notifications.filter(each => each.slot === slot);
      expect([signature, announced.length]).toEqual([signature, 1]);
      expect(await announced[0]!.history).toContain(signature);
    }
  }
  expect(bystanders.map(({ notifications }) => notifications.length)).toEqual(before);
});

test('watchers of both programs make the indexer follow the account once', async () => {
  const account = await funded();
  const connecting = [one, other].flatMap(program =>
    Array.from({ length: 20 }, () => connect(program, account)),
  );
  const watchers = await Promise.all(connecting);
  const payment = await pay(account);
  await Promise.all(watchers.map(watcher => isNotified(watcher, payment)));
  const store = await openEventStoreDb({ url: servers.running.eventstoredb.url });
  try {
    const stream = watchStream({
      chain: 'solana',
      network: 'mainnet',
      address: account.publicKey.toBase58(),
    });
    const events: string[] = [];
    for await (const { type } of store.readStream(stream)) events.push(type);
    expect(events).toEqual(['AccountWatched']);
  } finally {
    await store.close();
  }
});

test.each(['projections', 'indexer-solana jobs'])(
  'no change is lost while the process of %s is killed, and started again',
  async role => {
    const account = await funded();
    const watchers = await watched(account);
    const payments: Payment[] = [];
    let isOver = false;
    const paying = (async () => {
      while (!isOver && payments.length < MAX_PAYMENTS / 2) payments.push(await pay(account));
    })();
    paying.catch(() => undefined);
    await until(() => payments.length > 2);
    await fleet.killOne(role);
    const atKill = payments.length;
    await until(() => payments.length > atKill + 2);
    await fleet.add(role);
    isOver = true;
    await paying;

    const last = payments.reduce((a, b) => (b.slot > a.slot ? b : a));
    for (const watcher of watchers) {
      await isNotified(watcher, last);
      const announced = watcher.notifications.find(({ slot }) => slot >= last.slot)!;
      expect(await announced.history).toEqual(
        expect.arrayContaining(payments.map(({ signature }) => signature)),
      );
      const slots = watcher.notifications.map(({ slot }) => slot);
      expect(slots).toEqual([...slots].sort((a, b) => a - b));
      expect(watcher.errors).toEqual([]);
    }
  },
);
