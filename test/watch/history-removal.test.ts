import { randomUUID } from 'node:crypto';
import { accountTopic, removalRecord } from '../../contracts/chain/account-records';
import { encodeSolanaMessage, type SolanaMessage } from '../../contracts/chain/solana';
import type { EnhancedTransaction } from '../../contracts/chain/solana-transaction';
import {
  decodeTonMessage,
  encodeTonMessage,
  TON_MESSAGE_VERSION,
  type TonTransactionMessage,
} from '../../contracts/chain/ton';
import type { TonMessage } from '../../contracts/chain/ton-transaction';
import type { WithoutMetadata } from '../../contracts/decider';
import { watchStream } from '../../contracts/events/watch';
import { accountKey, type AccountRef } from '../../contracts/network/network';
import type { Document } from '../../contracts/ports/documents';
import type { LogMessage, NewMessage } from '../../contracts/ports/log';
import { tonDecoder } from '../../indexers/ton/decode/decode';
import { toUnverifiedRecord } from '../../indexers/ton/records';
import { SOLANA_TOPICS } from '../../indexers/solana/indexer';
import { TON_TOPICS } from '../../indexers/ton/indexer';
import { partitionOf } from '../../infra/engines/log/partitioner';
import { PROJECTIONS as ALL_PROJECTIONS } from '../../infra/program/features';
import { isLogProjection, type LogProjection } from '../../projections/projection';
import { solanaTransactionsProjection } from '../../projections/solana/transactions/projection';
import { tonJettonsProjection } from '../../projections/ton/jettons/projection';
import { tonMessagesProjection } from '../../projections/ton/messages';
import { tonNftsProjection } from '../../projections/ton/nfts/projection';
import { tonStakesProjection } from '../../projections/ton/stakes/projection';
import { tonTracesProjection } from '../../projections/ton/traces/projection';
import { tonTransactionsProjection } from '../../projections/ton/transactions/projection';
import { createHandle } from '../../services/commands/handle';
import { watchKind, type WatchCommand } from '../../services/watch/decider';
import { removalTimes } from '../../services/watch/history-age';
import { removeDueHistories, type DueRemovalDeps } from '../../services/watch/keep-removing-histories';
import { foldInto } from '../projections/fold-into';
import { dataFolder, PROJECTING_TIMEOUT_MS, until } from '../projections/program';
import { scaled, SEED } from '../random';
import { accountAt, ScriptedChain } from '../ton/scripted-chain';

jest.setTimeout(PROJECTING_TIMEOUT_MS);

const DAY_MS = 86_400_000;
const PARTITIONS = 8;
const ton = (address: string): AccountRef => ({ chain: 'ton', network: 'mainnet', address });
const solana = (address: string): AccountRef => ({ chain: 'solana', network: 'mainnet', address });
const partition = (account: AccountRef): number => partitionOf(accountKey(account), PARTITIONS);

const ALICE = ton(accountAt(1));
/** Of the same partition. */
const NEIGHBOUR = Array.from({ length: 100 }, (_, n) => ton(accountAt(n + 2))).find(
  account => partition(account) === partition(ALICE),
)!;
const CAROL = solana('Carol');
const DAVE = Array.from({ length: 100 }, (_, n) => solana(`Dave${n}`)).find(
  account => partition(account) === partition(CAROL),
)!;
const [WALLET, MASTER, ITEM] = [accountAt(205), accountAt(206), accountAt(207)];

/** A double: what the raw transaction says it is. */
const solanaDecoder = {
  version: 1,
  decode: (raw: object, slot: number): EnhancedTransaction => ({
    description: '',
    type: 'TRANSFER',
    source: 'SYSTEM_PROGRAM',
    fee: 5_000,
    slot,
    timestamp: 1,
    feePayer: 'Bob',
    signature: (raw as { signature: string }).signature,
    tokenTransfers: [],
    nativeTransfers: [],
    accountData: [],
    transactionError: null,
    instructions: [],
  }),
  mints: () => [],
};

const PROJECTIONS: readonly LogProjection[] = [
  tonTransactionsProjection(tonDecoder),
  tonMessagesProjection(tonDecoder),
  tonTracesProjection,
  tonJettonsProjection(tonDecoder),
  tonNftsProjection(tonDecoder),
  tonStakesProjection(tonDecoder),
  solanaTransactionsProjection(solanaDecoder),
];

const chain = new ScriptedChain();
/** More than one record names. */
const MANY = 230;
for (let n = 0; n < MANY; n++) chain.mine({ accounts: [ALICE.address, NEIGHBOUR.address] });

interface History {
  /** Transactions of each account. */
  readonly length?: number;
  /** Of one transaction of Alice. */
  readonly outMessages?: readonly TonMessage[];
}

/** The transactions of an account, as if they had these messages and hashes. */
function tonRecords(
  account: AccountRef,
  watch: number,
  { length = 12, outMessages = [] }: History = {},
): NewMessage[] {
  const key = accountKey(account);
  const common = { version: TON_MESSAGE_VERSION, network: 'mainnet', account: account.address } as const;
  const own = { master: MASTER, owner: account.address };
  const mined = chain.transactions.get(account.address)!.slice(0, length);
  const transactions = mined.map(({ cell, lt, hash, seqno }, n) => {
    const at = { network: 'mainnet', account: account.address, seqno, origin: 'tail' } as const;
    const value = toUnverifiedRecord(cell, { lt, hash }, at).message.value;
    const message = decodeTonMessage(value) as TonTransactionMessage;
    const external = n === 0 ? { hash: hash.replace(/^./, 'x'), normalized: hash.replace(/^./, 'y') } : null;
    return encodeTonMessage({
      ...message,
      jettonWallets: { [WALLET]: own },
      transaction: { ...message.transaction, external, outMessages: n === 1 ? outMessages : [] },
    });
  });
  const { lt, hash } = chain.transactions.get(account.address)![0]!;
  const trace = encodeTonMessage({
    ...common,
    type: 'trace',
    lt,
    hash,
    state: 'complete',
    decoder: 1,
    messages: [],
    jettonWallets: {},
  });
  const reached = encodeTonMessage({ ...common, type: 'backfilled', downTo: '0', watch });
  return [...transactions, trace, reached].map(value => ({ key, value }));
}

function solanaRecords(account: AccountRef, watch: number, { length = 12 }: History = {}): NewMessage[] {
  const of = { network: 'mainnet', account: account.address } as const;
  const inclusion = (n: number) => ({
    ...of,
    signature: `${account.address}${n}`,
    slot: n,
    blockhash: `b${n}`,
    mints: ['Mint'],
  });
  const seen = Array.from({ length }, (_, n): SolanaMessage => ({
    type: 'transaction',
    ...inclusion(n),
    index: 0,
    mentioned: true,
    blockTime: 1,
    finality: 'confirmed',
    origin: 'tail',
    balance: '1',
    raw: { signature: `${account.address}${n}` },
  }));
  const messages: SolanaMessage[] = [
    ...seen,
    { type: 'rolled-back', ...inclusion(3) },
    { type: 'finalized', ...inclusion(4) },
    { type: 'backfilled', ...of, watch, slot: 300, since: 0, parts: 1, complete: true },
  ];
  return messages.map(message => ({ key: accountKey(account), value: encodeSolanaMessage(message) }));
}

const jettonTransfer = (forwardAmount: string): TonMessage =>
  ({
    info: { type: 'internal', src: ALICE.address, dest: WALLET, value: '1' },
    jetton: { type: 'transfer', amount: '5', destination: NEIGHBOUR.address, forwardAmount },
  }) as unknown as TonMessage;
const nftTransfer = (forwardAmount: string): TonMessage =>
  ({
    info: { type: 'internal', src: ALICE.address, dest: ITEM, value: '1', bounced: false },
    nft: { type: 'transfer', queryId: '0', newOwner: NEIGHBOUR.address, forwardAmount },
  }) as unknown as TonMessage;

type Documents = ReadonlyMap<string, Document>;

async function start() {
  const folder = dataFolder();
  const program = folder.open({ projections: PROJECTIONS });
  const { store, log, documents, engine, views } = program;
  await log.declare([...TON_TOPICS, ...SOLANA_TOPICS]);
  program.start();
  const handle = createHandle({ store });
  let aheadMs = 0;
  const clock = (): Date => new Date(Date.now() + aheadMs);
  const command = (account: AccountRef, what: WithoutMetadata<WatchCommand>, now = clock()) =>
    handle(watchKind, watchStream(account), {
      ...what,
      metadata: { now: now.toISOString(), actor: 'test' },
    } as WatchCommand);
  const times = {
    renewAfterMs: 0,
    renewUnconfirmedAfterMs: 0,
    expireAfterMs: 0,
    expireUnconfirmedAfterMs: 0,
  };
  const deps: DueRemovalDeps = {
    store,
    documents,
    log,
    views,
    handle,
    clock,
    worker: 'worker',
    histories: engine.histories,
    foldedRecordsByAll: engine.foldedRecordsByAll,
    ...removalTimes(90, 0),
  };
  const test = {
    ...program,
    deps,
    folder,
    pass: (ms: number): void => void (aheadMs += ms),
    remove: (changed: Partial<DueRemovalDeps> = {}) =>
      removeDueHistories({ ...deps, ...changed }, new AbortController().signal),
    watch: (account: AccountRef) => command(account, { type: 'watch', account, source: null, ...times }),
    /** An account that was watched, and is not since so many days. */
    async watchedUntil(account: AccountRef, days: number): Promise<void> {
      const then = new Date(clock().getTime() - days * DAY_MS);
      await command(account, { type: 'watch', account, source: null, ...times }, then);
      await command(account, { type: 'expire', account, ...times }, then);
    },
    publish: (account: AccountRef, records: readonly NewMessage[]) =>
      log.publish(accountTopic(account), records),
    async folded(): Promise<void> {
      for (const account of [ALICE, CAROL]) {
        const topic = accountTopic(account);
        const ends = await log.endOffsets(topic);
        await until(async () => {
          const reached = await engine.foldedRecordsByAll(topic);
          return reached !== null && ends.every((end, n) => reached[n]! >= end);
        });
      }
    },
    /** All documents. */
    async live(): Promise<Documents> {
      await test.folded();
      const found = new Map<string, Document>();
      for (const { name } of PROJECTIONS.flatMap(({ collections }) => collections))
        for await (const page of views.scan<Document>(name, { limit: 1_000 }))
          for (const document of page) found.set(`${name}/${document._id}`, document);
      return found;
    },
    async records(): Promise<LogMessage[]> {
      const found: LogMessage[] = [];
      for (const topic of [accountTopic(ALICE), accountTopic(CAROL)])
        for (let number = 0; number < PARTITIONS; number++)
          for await (const { messages } of log.read({ topic, partition: number, from: 0, follow: false }))
            found.push(...messages);
      return found;
    },
    recordsOf: async (account: AccountRef): Promise<LogMessage[]> =>
      (await test.records()).filter(({ key }) => key === accountKey(account)),
    /** The documents that a rebuild makes of the log as it is. */
    async rebuilt(): Promise<Documents> {
      const found = new Map<string, Document>();
      const records = await test.records();
      for (const projection of PROJECTIONS) foldInto(found, projection, records);
      return found;
    },
    async expectRebuildEqual(): Promise<void> {
      const [live, rebuilt] = [await test.live(), await test.rebuilt()];
      expect([...live.keys()].sort()).toEqual([...rebuilt.keys()].sort());
      for (const [id, document] of rebuilt) expect(live.get(id)).toEqual(document);
    },
  };
  return test;
}

let test: Awaited<ReturnType<typeof start>>;
beforeEach(async () => void (test = await start()));
afterEach(() => test.folder.remove());

/** Those that are of an account, or of its transactions. */
const of = (account: AccountRef, documents: Documents): Documents =>
  new Map(
    [...documents].filter(([id, document]) => {
      const key = accountKey(account);
      const { transactions = [] } = document as unknown as { transactions?: { account: string }[] };
      return (
        document._id === key ||
        document._id.startsWith(`${key}/`) ||
        (id.startsWith('ton_hashes/') && transactions.some(each => each.account === account.address))
      );
    }),
  );

async function bothChains({ outMessages = [], ...history }: History = {}): Promise<void> {
  for (const account of [ALICE, CAROL]) await test.watchedUntil(account, 91);
  await test.publish(ALICE, tonRecords(ALICE, 1, { ...history, outMessages }));
  await test.publish(NEIGHBOUR, tonRecords(NEIGHBOUR, 1, history));
  await test.publish(CAROL, solanaRecords(CAROL, 1, history));
  await test.publish(DAVE, solanaRecords(DAVE, 1, history));
}

class Killed extends Error {}

/** Steps from one that is killed to the next: all in full size, otherwise others with each seed. */
const STRIDE = scaled(1) > 1 ? 1 : 6;

/** The same, of a process that is killed before or after a number of calls. */
function killedAt(deps: DueRemovalDeps, calls: number, when: 'before' | 'after') {
  let left = calls;
  const { store, documents, log, views } = deps;
  const killable =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (when === 'before' && left-- <= 0) throw new Killed();
      const result = await call(...args);
      if (when === 'after' && left-- <= 0) throw new Killed();
      return result;
    };
  return {
    ...deps,
    worker: randomUUID(),
    store,
    handle: killable(deps.handle as never) as unknown as DueRemovalDeps['handle'],
    documents: {
      checkpoint: killable(documents.checkpoint.bind(documents)),
      commit: killable(documents.commit.bind(documents)),
    },
    views: { find: killable(views.find as never), getMany: killable(views.getMany as never) },
    log: {
      publish: killable(log.publish.bind(log)),
      endOffsets: killable(log.endOffsets.bind(log)),
      deleteMessages: killable(log.deleteMessages!.bind(log)),
    },
  } as DueRemovalDeps;
}

it('leaves nothing of accounts of both chains, and all of their neighbours', async () => {
  await bothChains({ length: MANY });
  const before = await test.live();
  for (const account of [ALICE, CAROL]) expect(of(account, before).size).toBeGreaterThan(MANY);
  const neighbours = await Promise.all([NEIGHBOUR, DAVE].map(test.recordsOf));

  expect(await test.remove()).toBe(true);

  const after = await test.live();
  expect([...of(ALICE, after).keys(), ...of(CAROL, after).keys()]).toEqual([]);
  expect(after).toEqual(new Map([...of(NEIGHBOUR, before), ...of(DAVE, before)]));
  expect(await Promise.all([NEIGHBOUR, DAVE].map(test.recordsOf))).toEqual(neighbours);
  // The last record of a partition stays: one that names nothing.
  for (const account of [ALICE, CAROL]) {
    const [last, ...others] = await test.recordsOf(account);
    expect(others).toEqual([]);
    expect(last!.value.length).toBeLessThan(300);
  }
  await test.expectRebuildEqual();
});

it.each(['before', 'after'] as const)(
  'goes on after it was killed %s its steps, and a rebuild equals the documents at each',
  async when => {
    await bothChains({ length: MANY });
    const before = await test.live();
    let isDone = false;
    for (let calls = SEED % STRIDE; !isDone; calls += STRIDE) {
      isDone = await test.remove(killedAt(test.deps, calls, when)).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        return false;
      });
      await test.expectRebuildEqual();
      const live = await test.live();
      expect([...of(NEIGHBOUR, live).keys()]).toEqual([...of(NEIGHBOUR, before).keys()]);
      test.pass(150_000);
    }
    const after = await test.live();
    expect([...of(ALICE, after).keys(), ...of(CAROL, after).keys()]).toEqual([]);
    for (const account of [ALICE, CAROL]) {
      expect(await test.recordsOf(account)).toHaveLength(1);
      expect(await test.watch(account)).toMatchObject({ state: { watch: 2 } });
    }
  },
);

it('refuses a watch that begins in the middle, and what is watched afterwards has all of its history again', async () => {
  await bothChains({ length: MANY });
  const before = await test.live();
  const deps = killedAt(test.deps, 40, 'before');
  await expect(test.remove(deps)).rejects.toBeInstanceOf(Killed);
  expect(await test.watch(ALICE)).toMatchObject({ refusal: { code: 'not_ready' } });
  // Another worker must wait until the claim of the first one has ended.
  expect(await test.remove({ worker: 'two' })).toBe(false);
  test.pass(150_000);
  expect(await test.remove({ worker: 'two' })).toBe(true);
  for (const account of [ALICE, CAROL])
    expect(await test.watch(account)).toMatchObject({ events: [{ type: 'AccountWatched' }] });
  await test.publish(ALICE, tonRecords(ALICE, 2, { length: MANY }));
  await test.publish(CAROL, solanaRecords(CAROL, 2, { length: MANY }));
  const again = await test.live();
  expect([...again.keys()].sort()).toEqual([...before.keys()].sort());
  expect(again.get(`ton_accounts/${accountKey(ALICE)}`)).toMatchObject({ backfilled: 2 });
  await test.expectRebuildEqual();
});

it('of a process that was suspended takes nothing that a later watch has read', async () => {
  await bothChains();
  let suspended: (() => Promise<void>) | undefined;
  const { log } = test.deps;
  const publish: typeof log.publish = async (topic, records) => {
    suspended = () => log.publish(topic, records);
    throw new Killed();
  };
  const deps = { log: { ...log, publish, endOffsets: log.endOffsets } };
  await expect(test.remove({ ...deps, claimMs: 1 })).rejects.toBeInstanceOf(Killed);
  test.pass(1_000);
  expect(await test.remove({ worker: 'two' })).toBe(true);
  await test.watch(ALICE);
  await test.publish(ALICE, tonRecords(ALICE, 2));
  const before = await test.live();
  await suspended!();
  expect(await test.live()).toEqual(before);
  await test.expectRebuildEqual();
});

it('keeps what others were sent without a notification, and the records that say so', async () => {
  await bothChains({ outMessages: [jettonTransfer('0'), nftTransfer('0')] });
  const before = await test.live();
  await test.remove();
  const after = await test.live();
  expect([...of(ALICE, after).keys()]).toEqual([]);
  expect(of(NEIGHBOUR, after)).toEqual(of(NEIGHBOUR, before));
  for (const collection of ['ton_jetton_receipts', 'ton_nft_transfers'])
    expect([...after.keys()].filter(id => id.startsWith(`${collection}/`))).toHaveLength(1);
  const left = (await test.recordsOf(ALICE)).map(({ value }) => decodeTonMessage(value).type);
  expect(left.filter(type => type !== 'removed')).toEqual(['transaction']);
  await test.expectRebuildEqual();
});

it('on a log that deletes no single messages takes the documents, also in a rebuild', async () => {
  await bothChains();
  const { publish, endOffsets } = test.log;
  const records = (await test.records()).length;
  expect(await test.remove({ log: { publish, endOffsets } })).toBe(true);
  const after = await test.live();
  expect([...of(ALICE, after).keys(), ...of(CAROL, after).keys()]).toEqual([]);
  expect((await test.records()).length).toBeGreaterThan(records);
  await test.expectRebuildEqual();
});

it('is for accounts whose last watch ended so long ago, and no others', async () => {
  await test.watchedUntil(ALICE, 100);
  await test.watchedUntil(DAVE, 91);
  await test.watchedUntil(CAROL, 89);
  await test.watch(ALICE);
  for (const account of [CAROL, DAVE]) await test.publish(account, solanaRecords(account, 1));
  await test.publish(ALICE, tonRecords(ALICE, 2));
  const before = await test.live();
  expect(await test.remove()).toBe(true);
  const after = await test.live();
  expect(after).toEqual(new Map([...of(ALICE, before), ...of(CAROL, before)]));
  test.pass(2 * DAY_MS);
  expect(await test.remove()).toBe(true);
  expect([...of(CAROL, await test.live()).keys()]).toEqual([]);
});

it('is not begun while a projection is rebuilt, so that accounts can be read', async () => {
  await bothChains();
  const before = await test.live();
  expect(await test.remove({ foldedRecordsByAll: async () => null })).toBe(false);
  for (const account of [ALICE, CAROL])
    expect(await test.watch(account)).toMatchObject({ events: [{ type: 'AccountWatched' }] });
  expect(await test.live()).toEqual(before);
});

it('waits for a rebuild that begins in the middle, whose documents may be others', async () => {
  await bothChains();
  await test.folded();
  const { foldedRecordsByAll } = test.engine;
  const reached = jest.fn(foldedRecordsByAll).mockImplementationOnce(foldedRecordsByAll);
  reached.mockResolvedValueOnce(null).mockResolvedValueOnce(null);
  expect(await test.remove({ foldedRecordsByAll: reached })).toBe(true);
  expect(reached.mock.calls.length).toBeGreaterThan(4);
  await test.expectRebuildEqual();
});

it('ends with an error where its records count for nothing, as with a log whose clock is ahead', async () => {
  await bothChains();
  const { publish, endOffsets } = test.log;
  const ahead: typeof publish = (topic, records) =>
    publish(
      topic,
      records.map(({ key }) =>
        removalRecord(key.startsWith('ton') ? ALICE : CAROL, {}, '2026-01-01T00:00:00.000Z'),
      ),
    );
  await expect(test.remove({ log: { publish: ahead, endOffsets } })).rejects.toThrow('the clock of the log');
});

it('is known to every projection of the transactions of accounts', () => {
  const topics = [ALICE, CAROL].map(accountTopic);
  const folding = ALL_PROJECTIONS.filter(isLogProjection).filter(each =>
    each.topics.some(topic => topics.includes(topic)),
  );
  expect(folding.map(({ name }) => name).sort()).toEqual(PROJECTIONS.map(({ name }) => name).sort());
  for (const { name, history } of folding) expect([name, history]).toEqual([name, expect.anything()]);
});

it('deletes the records that take documents last, once whatever began to read the log before has folded them', async () => {
  await bothChains();
  const steps: string[] = [];
  const { log, engine } = test;
  const removal = { value: removalRecord(ALICE, {}, '2026-01-01T00:00:00.000Z').value } as LogMessage;
  const deleteMessages: typeof log.deleteMessages = async (options, isDeletable) => {
    if (options.key === accountKey(ALICE)) steps.push(isDeletable(removal) ? 'removals' : 'others');
    return log.deleteMessages!(options, isDeletable);
  };
  await test.remove({
    log: { publish: log.publish, endOffsets: log.endOffsets, deleteMessages },
    async foldedRecordsByAll(topic) {
      if (steps.at(-1) === 'others') steps.push('folded');
      return engine.foldedRecordsByAll(topic);
    },
  });
  expect(steps).toEqual(['others', 'folded', 'others', 'removals']);
});
