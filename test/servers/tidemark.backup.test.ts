import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { Redis } from 'ioredis';
import { type Document, MongoClient } from 'mongodb';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import type { RebuildReport } from '../../projections/engine/rebuild';
import type { AuditLine } from '../../services/audit/read';
import { call, send } from '../e2e/client';
import { fee, type LocalNetworks } from '../e2e/installation';
import {
  spawnTidemark,
  startTidemark,
  tidemark,
  storedStatus,
  tidemarkJson,
  type Settings,
  type Tidemark,
} from '../e2e/tidemark';
import { LOCAL_MAINNETS } from '../local-networks';
import { until } from '../until';
import { startDedicatedServers, type DedicatedServers } from './tidemark/dedicated-servers';

/*
 * The backup of infra/deploy/backup.md on servers. The volumes of MongoDB's stand-in, of Kafka and of EventStoreDB's double are
 * copied while their process is stopped by SIGSTOP, as a snapshot copies them; the dump of one collection is read and
 * inserted by the driver, as `mongodump` and `mongorestore` do, which no package registry has.
 */

const DATABASE = 'tidemark';
const KEYS = 'erasure_keys';
/** Whose first encrypted text is recorded after the snapshot of MongoDB. */
const NEWCOMER = 'newcomer';

let folder: string;
let servers: DedicatedServers;
let settings: Settings;
let token: string;
let running: Tidemark | undefined;
let mongo: MongoClient;
let dumpedKeys: Document[];
let indexed: { readonly account: string; readonly signature: string };

/** Fees acknowledged before the backup began, and while it was taken. */
const before = Array.from({ length: 20 }, (_, n) => `before-${n}`);
const during: string[] = [];
const AFTERWARDS = 'afterwards';
/** What the audit trail says of the calls of the newcomer. */
let addresses: (string | null)[];

const copyOf = (name: string): string => join(folder, 'backup', name);

async function start(): Promise<Tidemark> {
  return (running = await startTidemark(settings));
}
async function stop(): Promise<void> {
  if (!running) return;
  expect(await running.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  running = undefined;
}
const tokenOf = async (subject: string): Promise<string> =>
  (
    await tidemarkJson<{ token: string }>(
      ['token', '--role', 'admin', '--secure', '--ttl', '86400', '--subject', subject],
      settings,
    )
  ).token;
async function record(ids: readonly string[], as = token): Promise<string> {
  const body = { fees: ids.map(id => fee(id)) };
  // A server that has just begun may not answer in time; a fee that it has recorded all the same is not recorded twice.
  const { status, headers } = await until(
    () => call(running!.url, 'POST', '/api/fees', { token: as, body }),
    answer => answer.status !== 503,
  );
  expect(status).toBe(200);
  return headers.get('x-ledger-position')!;
}

/** The ids of all recorded fees. */
async function ledger(after?: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1, total = Infinity; ids.length < total; page++) {
    const body = { action: 'list_fee_ledger', pageSize: 100, page };
    const answer = await call(running!.url, 'POST', '/api/instance-admin', {
      token,
      body,
      after: after ?? null,
    });
    expect(answer.status).toBe(200);
    ids.push(...(answer.body as { rows: { id: string }[] }).rows.map(({ id }) => id));
    ({ total } = answer.body as { total: number });
  }
  return ids.sort();
}

/** Records fees from four clients at a time, until the work is done. */
async function underLoad(work: () => Promise<void>): Promise<void> {
  let isWorking = true;
  const client = async (name: number): Promise<void> => {
    for (let n = 0; isWorking; n++) {
      const id = `during-${name}-${n}`;
      await record([id]);
      during.push(id);
    }
  };
  const clients = [1, 2, 3, 4].map(client);
  await work().finally(() => (isWorking = false));
  await Promise.all(clients);
}

/** Everything that the restored event store has, once it is projected. */
async function restoredLedger(): Promise<string[]> {
  const { events } = await storedStatus<{ events: number }>(settings);
  return until(() => ledger(String(events)));
}

/** An address in the audit trail is encrypted with the key of the caller. */
async function addressesOf(subject: string): Promise<(string | null)[]> {
  const { code, stdout } = await tidemark(['--json', 'audit', '--actor', subject], settings);
  expect(code).toBe(0);
  const lines = stdout.trim().split('\n');
  return lines
    .map(line => JSON.parse(line) as AuditLine)
    .map(line => ('address' in line ? line.address : null));
}

/**
 * Records one more fee by somebody whose key MongoDB's snapshot does not have. While MongoDB does not answer in time, a line of
 * the trail has no address.
 */
async function recordAsNewcomer(newcomer: string): Promise<(string | null)[]> {
  const id = `by-the-newcomer-${during.length}`;
  await record([id], newcomer);
  during.push(id);
  return addressesOf(NEWCOMER);
}

/** The signatures in the history of an account. */
async function history(account: string): Promise<string[]> {
  const { status, body } = await call(running!.url, 'POST', '/solana/transactions/mainnet', {
    body: { address: account },
  });
  return status === 200 ? (body as EnhancedTransaction[]).map(({ signature }) => signature) : [];
}

/** An account with one transaction, which the indexer has put onto the log. */
async function indexedAccount(): Promise<{ account: string; signature: string }> {
  const { solana } = (await send(running!.url, 'GET', '/devnet')).body as LocalNetworks;
  const { endpoint, websocket } = solana.find(({ network }) => network === 'mainnet')!;
  const { publicKey } = Keypair.generate();
  const account = publicKey.toBase58();
  const node = new Connection(endpoint, { commitment: 'confirmed', wsEndpoint: websocket });
  const signature = await node.requestAirdrop(publicKey, LAMPORTS_PER_SOL);
  await until(
    () => history(account),
    signatures => signatures.includes(signature),
  );
  return { account, signature };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidemark-server-backup-'));
  servers = await startDedicatedServers();
  settings = {
    ...servers.settings,
    ...LOCAL_MAINNETS,
    DATA_DIR: join(folder, 'data'),
    LOCAL_TRAFFIC: 'false',
  };
  mongo = new MongoClient(servers.running.mongodb.url);
  await start();
  token = await tokenOf('local');
});
afterAll(async () => {
  await running?.kill('SIGKILL');
  await mongo?.close();
  await servers?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a backup under load', () => {
  afterAll(stop);

  it('is taken while fees are recorded, and more are recorded afterwards', async () => {
    const { eventstoredb, kafka, mongodb } = servers.running;
    await record(before);
    indexed = await indexedAccount();
    const newcomer = await tokenOf(NEWCOMER);
    await underLoad(async () => {
      await mongodb.snapshot(copyOf('mongodb'));
      addresses = await until(
        () => recordAsNewcomer(newcomer),
        known => known.some(address => address !== null),
      );
      await kafka.snapshot(copyOf('kafka'));
      await eventstoredb.snapshot(copyOf('eventstoredb'));
      dumpedKeys = await mongo.db(DATABASE).collection(KEYS).find().toArray();
      const { servers: named } = await tidemarkJson<{ servers: string[] }>(
        ['backup', copyOf('data')],
        settings,
      );
      expect(named).toEqual(['EVENTSTORE_URL', 'KAFKA_BROKERS', 'MONGODB_URL']);
    });
    const position = await record([AFTERWARDS]);
    expect(await until(() => ledger(position))).toEqual([...before, ...during, AFTERWARDS].sort());
    expect(await addressesOf(NEWCOMER)).toEqual(addresses);
  });
});

describe('only the event store is restored, and documents are ahead of it', () => {
  beforeAll(async () => {
    await servers.running.eventstoredb.restore(copyOf('eventstoredb'));
  });
  afterEach(stop);

  it('a program on it is not ready, and answers no command', async () => {
    running = await spawnTidemark(settings).listening();
    const { status, body } = await send(running.operatorsUrl, 'GET', '/health/ready');
    expect(status).toBe(503);
    expect((body as { checks: { lost_data: string } }).checks.lost_data).toMatch(
      /event store: .*ends at position \d+, and .* has read up to \d+; .*--accept-loss/,
    );
    const refused = await call(running.url, 'POST', '/api/fees', { token, body: { fees: [fee('refused')] } });
    expect([refused.status, refused.body]).toMatchObject([503, { code: 'event_store_behind' }]);
    expect(await ledger()).toContain(AFTERWARDS);
  });

  it('the loss can be accepted: everything then follows from the events that are left', async () => {
    const verified = await tidemark(['verify'], settings);
    expect([verified.code, verified.stdout]).toEqual([5, expect.stringContaining('truncated')]);
    await tidemarkJson(['rebuild', '--all', '--accept-loss'], settings);
    await start();
    const ids = await restoredLedger();
    expect(ids).toEqual(expect.arrayContaining(before));
    expect(ids).not.toContain(AFTERWARDS);
    await record(['after-the-loss']);
    expect(await tidemarkJson(['verify'], settings)).toMatchObject({ outcome: 'verified' });
  });
});

async function restoreAll(restoreDocuments: () => Promise<unknown>): Promise<void> {
  const { eventstoredb, kafka, redis } = servers.running;
  await Promise.all([
    eventstoredb.restore(copyOf('eventstoredb')),
    kafka.restore(copyOf('kafka')),
    restoreDocuments(),
  ]);
  const keys = mongo.db(DATABASE).collection(KEYS);
  await keys.deleteMany({});
  await keys.insertMany(dumpedKeys);
  const jobs = new Redis(redis.url);
  await jobs.flushall();
  await jobs.quit();
  settings = { ...settings, DATA_DIR: copyOf('data') };
}

describe.each([
  ['the documents of the snapshot', () => servers.running.mongodb.restore(copyOf('mongodb'))],
  ['no documents', () => mongo.db(DATABASE).dropDatabase()],
])('all is restored, with %s', (_, restoreDocuments) => {
  let ids: string[];

  beforeAll(async () => {
    await restoreAll(restoreDocuments);
    await start();
    ids = await restoredLedger();
  });
  afterAll(stop);

  it('the ledger is verified, and has every fee acknowledged before the backup, none from afterwards', async () => {
    expect(await tidemarkJson(['verify'], settings)).toMatchObject({ outcome: 'verified' });
    expect(ids).toEqual(expect.arrayContaining(before));
    expect([...before, ...during]).toEqual(expect.arrayContaining(ids));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('personal texts can be read, also those recorded after the snapshot of MongoDB', async () => {
    expect(await addressesOf(NEWCOMER)).toEqual(addresses);
  });

  it('histories are served from the log, and fees are recorded and read', async () => {
    await until(
      () => history(indexed.account),
      signatures => signatures.includes(indexed.signature),
    );
    const position = await record([AFTERWARDS]);
    expect(await until(() => ledger(position))).toEqual([...ids, AFTERWARDS].sort());
  });

  it('documents equal those that are built from the event store and the log', async () => {
    const rebuilt = await tidemarkJson<RebuildReport[]>(['rebuild', '--all', '--verify'], settings);
    const compared = rebuilt.filter(({ comparison }) => comparison !== null);
    expect(compared.map(({ projection }) => projection)).toEqual(
      expect.arrayContaining(['fees', 'solana-transactions']),
    );
    for (const { projection, comparison } of compared)
      expect([projection, comparison?.different, comparison?.inconclusive]).toEqual([projection, 0, 0]);
  });
});
