import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toNano } from '@ton/core';
import { ledgerAnchorEvents, ledgerAnchorStream } from '../../contracts/events/ledger-anchor';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { ed25519Key } from '../../infra/devnet/ed25519';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import { createTonNodes } from '../../infra/engines/ton-nodes/ton-nodes';
import { accountHistory } from '../../infra/program/features/ledger-tree/anchor/account-history';
import { grantCoins } from '../../infra/program/features/ledger-tree/anchor/local-node';
import { createPlaceProofs } from '../../infra/program/features/ledger-tree/anchor/place-proofs';
import { readKeys } from '../../infra/verifier/evidence';
import { hashEvents } from '../../infra/verifier/hash-events';
import { verifyAnchors } from '../../infra/verifier/verify-anchor';
import { verifyHistory } from '../../infra/verifier/verify-history';
import { createV4Source } from '../../indexers/ton/v4-source/v4-source';
import { createHandle } from '../../services/commands/handle';
import { anchorNewest } from '../../services/ledger-tree/anchor/anchor-newest';
import { EXPIRY_MARGIN, VALID_FOR } from '../../services/wallet-v5/message';
import { walletAt, walletV5, type WalletKey } from '../../services/wallet-v5/wallet-v5';
import { anchorMessage } from '../../services/ledger-tree/anchor/anchor-wallet';
import { type RecordedAnchor, recordedAnchors } from '../../services/ledger-tree/anchor/anchors';
import { type AnchorDeps, AnchorWalletLow } from '../../services/ledger-tree/anchor/deps';
import { proveFurther } from '../../services/ledger-tree/anchor/prove-further';
import { stopAnchors, workAnchors } from '../../services/ledger-tree/anchor/worker';
import { type Checkpoints, createCheckpoints } from '../../services/ledger-tree/checkpoints';
import { waitUntilIncluded } from '../../services/ledger-tree/prover';
import { createLedgerTreeReader } from '../../services/ledger-tree/reader';
import { openInstance, type TestInstance } from '../billing/instance';
import { quietDevnet, silent } from '../devnet/ton';
import { exportedLines, writeJson, writeLines } from '../proofs/exported-ledger';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';

const EXPIRY = VALID_FOR + EXPIRY_MARGIN;
const ANY_IDENTITY = { check: () => Promise.resolve() };
const closing = new AbortController();
setMaxListeners(0, closing.signal);
let devnet: TonDevnet;
let instance: TestInstance;
let checkpoints: Checkpoints;
let fees = 0;
let keys = 0;

beforeAll(async () => {
  devnet = await quietDevnet();
  instance = await openInstance();
  const { store, ledgerKeys } = instance;
  checkpoints = createCheckpoints({ store, instanceId: 'local', keys: ledgerKeys });
});
afterAll(async () => {
  closing.abort();
  await instance.close();
  await devnet.close();
});

/** After one more fee. */
async function newCheckpoint(): Promise<Checkpoint> {
  await instance.record([{ id: `f${(fees += 1)}` }]);
  const reader = createLedgerTreeReader(instance.documents);
  const head = await instance.store.head();
  await waitUntilIncluded(reader, head, 60_000);
  return checkpoints.sign(await reader.headAt(head), new Date().toISOString());
}

/** A wallet of its own, without coins, as a program has it that has just started. */
function start(
  key: WalletKey = ed25519Key(Buffer.alloc(32, (keys += 1))),
  changed: Partial<AnchorDeps> = {},
): AnchorDeps {
  const { url } = devnet;
  const source = createV4Source({ endpoints: [url], identity: ANY_IDENTITY });
  const nodes = createTonNodes({
    urls: [url],
    identity: ANY_IDENTITY,
    logger: silent,
    signal: closing.signal,
  });
  const { signal } = closing;
  const proofs = createPlaceProofs({ url, key: undefined, nodes, logger: silent, signal });
  signal.addEventListener('abort', () => void Promise.all([source, nodes].map(each => each.close())));
  return {
    network: 'testnet',
    key,
    checkpoints,
    store: instance.store,
    logger: silent,
    handle: createHandle({ store: instance.store }),
    clock: () => new Date(),
    client: createTonClient({ urls: [url], logger: silent, signal: closing.signal }),
    history: (account, from) => accountHistory(source, account, from, closing.signal),
    proofOf: proofs.proofOf,
    fund: account => grantCoins(url, account),
    ...changed,
  };
}

const accountOf = ({ key }: AnchorDeps): string => walletV5(key.publicKey, 'testnet').address.toRawString();

/** Whose messages reach no node. */
const cutOff = (deps: AnchorDeps): AnchorDeps => ({
  ...deps,
  client: { ...deps.client, sendMessage: () => Promise.reject(new Error('no node answers')) },
});

async function anchor(deps: AnchorDeps, goal: Checkpoint): Promise<void> {
  while (!(await anchorNewest(deps, goal))) await sleep(20);
}

/** Until a message is signed that nobody has received. */
async function signOnly(deps: AnchorDeps, goal: Checkpoint): Promise<void> {
  while ((await eventsOf(deps)).at(-1)?.type !== 'LedgerAnchorSigned') await anchorNewest(cutOff(deps), goal);
}

async function eventsOf(deps: AnchorDeps) {
  const events = [];
  for await (const event of instance.store.readStream(ledgerAnchorStream('testnet', accountOf(deps))))
    events.push(ledgerAnchorEvents.read(event));
  return events;
}

const typesOf = async (deps: AnchorDeps): Promise<string[]> =>
  (await eventsOf(deps)).map(event =>
    event.type === 'LedgerAnchorFailed' ? event.data.reason : event.type.replace('Ledger', ''),
  );

/** Those of its wallet. */
async function anchorsOf(deps: AnchorDeps): Promise<RecordedAnchor[]> {
  const found: RecordedAnchor[] = [];
  for await (const each of recordedAnchors(instance.store))
    if (each.anchor.transaction.account === accountOf(deps)) found.push(each);
  return found;
}

const levelsOf = async (deps: AnchorDeps): Promise<[events: number, level: string][]> =>
  (await anchorsOf(deps)).map(({ anchor: { checkpoint, proof } }) => [checkpoint.size, proof.level]);

/** Messages that the wallet has carried out. */
async function carriedOut(deps: AnchorDeps): Promise<number> {
  const client = createTonClient({ urls: [devnet.url], logger: silent, signal: closing.signal });
  const { seqno: newest } = await client.getLastBlock();
  return (await walletAt(deps, accountOf(deps), newest)).seqno;
}

it('sends the newest head once, and an auditor verifies a later export with what was recorded', async () => {
  const deps = start();
  const goal = await newCheckpoint();
  await anchor(deps, goal);
  await anchor(deps, goal);
  expect(await typesOf(deps)).toEqual(['AnchorSigned', 'HeadAnchored']);
  expect(await carriedOut(deps)).toBe(1);
  await proveFurther(deps, closing.signal);
  await proveFurther(deps, closing.signal);
  expect(await typesOf(deps)).toEqual(['AnchorSigned', 'HeadAnchored', 'AnchorProven']);

  const last = await newCheckpoint();
  const folder = temporaryFolder();
  const [found] = await anchorsOf(deps);
  const [verified] = verifyAnchors([writeJson(join(folder, 'anchor.json'), found!.anchor)], accountOf(deps));
  expect(verified).toMatchObject({ level: 'masterchain', checkpoint: goal });
  const file = writeLines(join(folder, 'export.ndjson'), await exportedLines(instance.store));
  writeFileSync(join(folder, 'keys.json'), JSON.stringify(instance.ledgerKeys.published()));
  const held = { keys: readKeys(join(folder, 'keys.json')), checkpoints: [verified!.checkpoint] };
  expect(await verifyHistory({ file, ...held, hash: hashEvents })).toMatchObject({
    events: last.size,
    signed: goal.size,
  });

  // The next head goes with the next message.
  await anchor(deps, last);
  expect(await carriedOut(deps)).toBe(2);
});

it('sends one message, however many workers look at the same time', async () => {
  const key = ed25519Key(Buffer.alloc(32, 101));
  const workers = [start(key), start(key), start(key)];
  await grantCoins(devnet.url, accountOf(workers[0]!));
  const goal = await newCheckpoint();
  await Promise.all(workers.map(deps => anchor(deps, goal)));
  expect(await typesOf(workers[0]!)).toEqual(['AnchorSigned', 'HeadAnchored']);
  expect(await carriedOut(workers[0]!)).toBe(1);
});

it('sends the same bytes again where a crash or an outage came between signing and sending', async () => {
  const deps = start();
  const goal = await newCheckpoint();
  await signOnly(deps, goal);
  const later = await newCheckpoint();
  await anchorNewest(cutOff(deps), later);
  await anchor(start(deps.key), goal);
  expect(await typesOf(deps)).toEqual(['AnchorSigned', 'HeadAnchored']);
  expect((await eventsOf(deps))[1]!.data).toMatchObject({ checkpoint: goal, count: 1 });
});

it('signs again once the message can be in no block any more, and not before', async () => {
  const deps = start();
  const goal = await newCheckpoint();
  await signOnly(deps, goal);
  await devnet.advanceTime(EXPIRY - 10);
  expect(await anchorNewest(cutOff(deps), goal)).toBe(false);
  expect(await typesOf(deps)).toEqual(['AnchorSigned']);
  await devnet.advanceTime(60);
  await devnet.advanceTime(60);
  await anchor(deps, goal);
  expect(await typesOf(deps)).toEqual(['AnchorSigned', 'expired', 'AnchorSigned', 'HeadAnchored']);
  expect(await carriedOut(deps)).toBe(1);
});

it('goes on when somebody else has used the key', async () => {
  const deps = start();
  const goal = await newCheckpoint();
  await signOnly(deps, goal);
  const { now } = await deps.client.getLastBlock();
  const order = { network: 'testnet', seqno: 0, validUntil: now + 600, text: 'another' } as const;
  await deps.client.sendMessage((await anchorMessage(deps.key, order)).toBoc());
  while ((await carriedOut(deps)) === 0) await sleep(20);
  await anchor(deps, goal);
  expect(await typesOf(deps)).toEqual(['AnchorSigned', 'replaced', 'AnchorSigned', 'HeadAnchored']);
});

it('sends a head again that a fork has taken back, once its message can be in no block', async () => {
  const deps = start();
  const goal = await newCheckpoint();
  await grantCoins(devnet.url, accountOf(deps));
  const { seqno } = await deps.client.getLastBlock();
  await anchor(deps, goal);
  await devnet.simulation.rollbackTo(seqno);
  await devnet.advanceTime(10);
  // Without what was cached of the blocks that are gone.
  const after = start(deps.key);
  const next = await newCheckpoint();
  expect(await anchorNewest(after, next)).toBe(false);
  expect(await typesOf(deps)).toEqual(['AnchorSigned', 'HeadAnchored']);
  await devnet.advanceTime(EXPIRY + 60);
  await devnet.advanceTime(60);
  await anchor(after, next);
  expect(await typesOf(deps)).toEqual([
    'AnchorSigned',
    'HeadAnchored',
    'dropped',
    'AnchorSigned',
    'HeadAnchored',
  ]);
  expect(await carriedOut(deps)).toBe(1);
  expect((await anchorsOf(deps)).map(each => [each.anchor.checkpoint.size, each.isTakenBack])).toEqual([
    [next.size, false],
    [goal.size, true],
  ]);
});

it('goes on after a fork that has taken back several heads, which none shows as being on the chain', async () => {
  const deps = start();
  const goals = [];
  await grantCoins(devnet.url, accountOf(deps));
  const { seqno } = await deps.client.getLastBlock();
  for (let n = 0; n < 2; n++) {
    goals.unshift(await newCheckpoint());
    await anchor(deps, goals[0]!);
  }
  await devnet.simulation.rollbackTo(seqno);
  await devnet.advanceTime(EXPIRY + 60);
  await devnet.advanceTime(60);
  const after = start(deps.key);
  await anchor(after, goals[0]!);
  expect(await carriedOut(deps)).toBe(1);
  expect((await anchorsOf(deps)).map(each => [each.anchor.checkpoint.size, each.isTakenBack])).toEqual([
    [goals[0]!.size, false],
    [goals[0]!.size, true],
    [goals[1]!.size, true],
  ]);
});

it('records a head that is on the chain before it is proven further, and proves it when others have followed', async () => {
  const deps = start();
  const silentSource = { ...deps, proofOf: () => new Promise<null>(() => undefined) };
  const first = await newCheckpoint();
  await anchor(silentSource, first);
  expect(await levelsOf(deps)).toEqual([[first.size, 'transaction']]);
  const second = await newCheckpoint();
  await anchor(silentSource, second);
  await proveFurther({ ...deps, proofOf: null }, closing.signal);
  await proveFurther({ ...deps, proofOf: () => Promise.resolve(null) }, closing.signal);
  expect((await levelsOf(deps)).map(([, level]) => level)).toEqual(['transaction', 'transaction']);
  await proveFurther(deps, closing.signal);
  expect(await levelsOf(deps)).toEqual([
    [second.size, 'masterchain'],
    [first.size, 'masterchain'],
  ]);
  await anchor(deps, second);
  expect(await carriedOut(deps)).toBe(2);
});

it('a worker whose source of blocks does not answer ends its job in time, and another one proves the head', async () => {
  const deps = start();
  const goal = await newCheckpoint();
  const { jobs } = instance.engines;
  const runs: unknown[] = [];
  const stop = new AbortController();
  let asked = 0;
  const working = workAnchors(
    {
      ...deps,
      jobs,
      everyMs: 1_000,
      onRun: error => runs.push(error),
      proveMs: 500,
      proofOf: (transaction, signal) =>
        (asked += 1) > 1
          ? deps.proofOf!(transaction, closing.signal)
          : new Promise(resolve => signal.addEventListener('abort', () => resolve(null))),
    },
    stop.signal,
  );
  await until(async () => (await levelsOf(deps))[0]?.[1] === 'masterchain');
  stop.abort();
  await working;
  expect(runs[0]).toBeNull();
  expect(await levelsOf(deps)).toEqual([[goal.size, 'masterchain']]);
  await stopAnchors({ jobs });
});

it('signs nothing with too few coins, and says which wallet needs some', async () => {
  const { fund: _, ...deps } = start();
  const goal = await newCheckpoint();
  await devnet.faucet(accountOf(deps), toNano('0.04'));
  await expect(anchorNewest(deps, goal)).rejects.toThrow(AnchorWalletLow);
  await expect(anchorNewest(deps, goal)).rejects.toThrow(accountOf(deps));
  expect(await typesOf(deps)).toEqual([]);
});

it('a worker tells why its last run has failed, and goes on at the next one', async () => {
  const { fund: _, ...deps } = start();
  const goal = await newCheckpoint();
  const { jobs } = instance.engines;
  const runs: unknown[] = [];
  const stop = new AbortController();
  const working = workAnchors(
    { ...deps, jobs, everyMs: 1_000, onRun: error => runs.push(error) },
    stop.signal,
  );
  await until(() => runs.length > 0);
  expect(runs[0]).toBeInstanceOf(AnchorWalletLow);
  await devnet.faucet(accountOf(deps), toNano(1));
  await until(() => runs.at(-1) === null);
  stop.abort();
  await working;
  expect((await anchorsOf(deps))[0]!.anchor.checkpoint).toEqual(goal);
  await stopAnchors({ jobs });
});
