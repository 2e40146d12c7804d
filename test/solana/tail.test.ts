import { SOLANA_DEAD_LETTERS } from '../../contracts/chain/solana';
import { loadCursor, storeCursor } from '../../indexers/solana/cursor';
import { SOLANA_INDEXER_STATE } from '../../indexers/solana/indexer';
import { WrongNetwork } from '../../contracts/network/wrong-network';
import { failIf } from '../doubles/failing';
import { createFixture, messagesOf, until } from './fixture';
import { mentioning } from './raw-transactions';

const ALICE = 'Alice';

const watching = async (options: Parameters<typeof createFixture>[0] = {}) => {
  const fixture = createFixture(options);
  await fixture.watch(ALICE);
  return fixture;
};
/** What the tail published for Alice; the backfill publishes the same, at its own time. */
const publishedByTail = ({ log }: ReturnType<typeof createFixture>): string[] =>
  messagesOf(log).flatMap(message => {
    if (message.type === 'removed') return [];
    if (message.type === 'backfilled' || (message.type === 'transaction' && message.origin !== 'tail'))
      return [];
    return [`${message.type} ${message.signature} in ${message.blockhash}`];
  });

let fixture: ReturnType<typeof createFixture>;
afterEach(() => fixture.close());

const untilFinalized = (slot: number) =>
  until(async () => (await loadCursor(fixture.documents, 'mainnet'))?.finalized.slot === slot);

test('publishes transactions of watched accounts when confirmed, and again when final', async () => {
  fixture = await watching();
  const { chain } = fixture;
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 0);
  const one = chain.add(1, [mentioning('s1', 'Bob', ALICE), mentioning('s2', 'Bob', 'Carol')]);
  await until(() => publishedByTail(fixture).length === 1);
  expect(fixture.published()).toContain('transaction s1@1 confirmed');
  chain.add(2);
  chain.finalize(1);
  await untilFinalized(1);
  expect(publishedByTail(fixture)).toEqual([
    `transaction s1 in ${one.blockhash}`,
    `finalized s1 in ${one.blockhash}`,
  ]);
  expect(indexer.status()).toEqual({ tip: 2, indexedHeight: 2, lag: 0, gap: null });
});

test('slots without a block are skipped because the next block names its parent', async () => {
  fixture = await watching();
  const { chain } = fixture;
  const indexer = fixture.start();
  chain.add(1, [mentioning('s1', ALICE)]);
  chain.add(7, [mentioning('s7', ALICE)]);
  chain.add(5_000, [mentioning('s5000', ALICE)]);
  await until(() => indexer.status().indexedHeight === 5_000);
  expect(publishedByTail(fixture).map(text => text.split(' ')[1])).toEqual(['s1', 's7', 's5000']);
});

test('a block missing from the list of slots is read as the parent of the next', async () => {
  fixture = await watching();
  const { chain } = fixture;
  const list = chain.source.slots.bind(chain.source);
  chain.source.slots = async (from, to, finality) =>
    (await list(from, to, finality)).filter(slot => slot % 2 === 0);
  for (const slot of [1, 2, 3, 5, 6]) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 6);
  expect(publishedByTail(fixture).map(text => text.split(' ')[1])).toEqual(['s1', 's2', 's3', 's5', 's6']);
});

test('an abandoned block is retracted before the blocks of the fork are published', async () => {
  fixture = await watching();
  const { chain } = fixture;
  const indexer = fixture.start();
  const base = chain.add(1);
  const lost2 = chain.add(2, [mentioning('s-both', ALICE), mentioning('s-lost', ALICE)]);
  const lost3 = chain.add(3, [mentioning('s-lost-too', ALICE)]);
  await until(() => indexer.status().indexedHeight === 3);
  const won2 = chain.add(2, [], base);
  const won4 = chain.add(4, [mentioning('s-both', ALICE)], won2);
  await until(() => indexer.status().indexedHeight === 4);
  expect(publishedByTail(fixture)).toEqual([
    `transaction s-both in ${lost2.blockhash}`,
    `transaction s-lost in ${lost2.blockhash}`,
    `transaction s-lost-too in ${lost3.blockhash}`,
    `rolled-back s-lost-too in ${lost3.blockhash}`,
    `rolled-back s-both in ${lost2.blockhash}`,
    `rolled-back s-lost in ${lost2.blockhash}`,
    `transaction s-both in ${won4.blockhash}`,
  ]);
});

test('a fork during downtime is noticed after the restart', async () => {
  fixture = await watching();
  const { chain } = fixture;
  const base = chain.add(1);
  chain.add(2);
  chain.add(3, [mentioning('s-lost', ALICE)]);
  let indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 3);
  await fixture.stop();
  chain.add(4, [mentioning('s-won', ALICE)], base);
  indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 4);
  expect(publishedByTail(fixture).map(text => text.split(' in ')[0])).toEqual([
    'transaction s-lost',
    'rolled-back s-lost',
    'transaction s-won',
  ]);
});

test('a block published by a process that died before moving the cursor is retracted when a fork abandons it', async () => {
  fixture = await watching();
  const { chain, documents } = fixture;
  const base = chain.add(1);
  let indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 1);
  const isPublished = (): boolean =>
    publishedByTail(fixture).some(text => text.startsWith('transaction s-orphaned'));
  documents.beforeCommit = failIf(isPublished, 'not stored'); // once it is published, nothing can be stored
  const orphaned = chain.add(2, [mentioning('s-orphaned', ALICE)]);
  await until(isPublished);
  await fixture.stop();
  documents.beforeCommit = () => undefined;
  chain.add(3, [], base);
  indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 3);
  expect(publishedByTail(fixture).at(-1)).toBe(`rolled-back s-orphaned in ${orphaned.blockhash}`);
});

test('a cursor that another process has moved is loaded again, and the tail continues from there', async () => {
  fixture = await watching();
  const { chain, documents } = fixture;
  chain.add(1, [mentioning('s1', ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 1);
  const stored = (await loadCursor(documents, 'mainnet'))!;
  await storeCursor(documents, 'mainnet', stored, stored);
  chain.add(2, [mentioning('s2', ALICE)]);
  await until(() => indexer.status().indexedHeight === 2);
  expect(publishedByTail(fixture).map(text => text.split(' ')[1])).toEqual(['s1', 's2']);
});

test('an error of the source stalls the cursor, and what follows is in order', async () => {
  fixture = await watching();
  const { chain } = fixture;
  let down = true;
  let failed = 0;
  chain.fault = (call, slot) =>
    down && call === 'block' && slot === 2 ? new Error(`HTTP 500 no. ${++failed}`) : null;
  for (const slot of [1, 2, 3]) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
  const indexer = fixture.start();
  await until(() => failed > 2);
  expect(indexer.status().indexedHeight).toBe(1);
  down = false;
  await until(() => indexer.status().indexedHeight === 3);
  expect(publishedByTail(fixture).map(text => text.split(' ')[1])).toEqual(['s1', 's2', 's3']);
});

test('a block that turns out malformed while its transactions are read is read again, and nothing of it is published before', async () => {
  fixture = await watching();
  const transactions = [mentioning('s1', ALICE), mentioning('s2', ALICE)];
  let reads = 0;
  const malformed = Object.assign([...transactions], {
    *[Symbol.iterator]() {
      yield transactions[0]!;
      if ((reads += 1) < 3) throw new SyntaxError('malformed');
      yield transactions[1]!;
    },
  });
  fixture.chain.add(1, malformed);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 1);
  expect(reads).toBe(3);
  expect(publishedByTail(fixture).map(text => text.split(' ')[1])).toEqual(['s1', 's2']);
});

test.each(['pruned', 'skipped', 'pending'] as const)(
  'a block that stays %s is a gap: reported and never skipped',
  async absent => {
    fixture = await watching();
    const { chain } = fixture;
    let lost = true;
    chain.fault = (call, slot) => (lost && call === 'block' && slot === 2 ? absent : null);
    for (const slot of [1, 2, 3]) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
    const indexer = fixture.start();
    await until(() => indexer.status().gap !== null);
    expect(indexer.status()).toMatchObject({
      indexedHeight: 1,
      gap: { height: 2, reason: `the block is listed but ${absent}` },
    });
    const stored = async () => (await SOLANA_INDEXER_STATE.status(fixture.documents))[0]!;
    await until(async () => (await stored()).gap !== null);
    const gap = `2: the block is listed but ${absent}`;
    expect(await stored()).toEqual({ indexer: 'solana mainnet', indexedHeight: 1, tip: 3, gap });
    lost = false;
    await until(() => indexer.status().indexedHeight === 3);
    expect(indexer.status().gap).toBeNull();
    await until(async () => (await stored()).gap === null);
    expect(await stored()).toEqual({ indexer: 'solana mainnet', indexedHeight: 3, tip: 3, gap: null });
  },
);

test('a source with another final block at the last final slot is a gap until it has the right one again', async () => {
  fixture = await watching();
  const { chain } = fixture;
  const one = chain.add(1);
  chain.finalize(1);
  fixture.start();
  await untilFinalized(1);
  await fixture.stop();
  const [genesis] = chain.canonical();
  chain.add(1, [], genesis!);
  const indexer = fixture.start();
  await until(() => indexer.status().gap !== null);
  expect(indexer.status().gap).toMatchObject({
    height: 1,
    reason: expect.stringMatching(/was indexed: .* tidemark networks verify --network solana:mainnet --fix$/),
  });
  chain.choose(one);
  chain.add(2, [mentioning('s2', ALICE)]);
  await until(() => indexer.status().indexedHeight === 2);
  expect(indexer.status().gap).toBeNull();
});

test('a source of another network stalls the tail and nothing is published, until it is right again', async () => {
  fixture = await watching();
  const { chain } = fixture;
  chain.add(1, [mentioning('s1', ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 1);
  let isWrong = true;
  chain.fault = () => (isWrong ? new WrongNetwork('http://node is not used: it serves another') : null);
  chain.add(2, [mentioning('s2', ALICE)]);
  await until(() => indexer.status().gap !== null);
  expect(indexer.status().gap).toEqual({ height: 2, reason: 'http://node is not used: it serves another' });
  expect(fixture.published().some(text => text.includes('s2'))).toBe(false);
  isWrong = false;
  await until(() => indexer.status().indexedHeight === 2);
  expect(indexer.status().gap).toBeNull();
});

test('a final block that is not on the chain is a gap instead of being retracted', async () => {
  fixture = await watching();
  const { chain } = fixture;
  chain.add(1, [mentioning('s1', ALICE)]);
  chain.finalize(1);
  const indexer = fixture.start();
  await untilFinalized(1);
  const [genesis] = chain.canonical();
  chain.add(3, [], genesis!);
  await until(() => indexer.status().gap !== null);
  expect(indexer.status()).toMatchObject({ indexedHeight: 1, gap: { height: 1 } });
  expect(fixture.published().some(text => text.startsWith('rolled-back'))).toBe(false);
});

test('a transaction that cannot be decoded becomes a dead letter with its raw form, and the tail continues', async () => {
  let dead = 0;
  fixture = await watching({
    metrics: { published: () => undefined, deadLettered: count => (dead += count) },
  });
  const { chain, log } = fixture;
  const broken = { ...mentioning('s-broken', ALICE), meta: null };
  chain.add(1, [broken, mentioning('s-sound', ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 1);
  expect(publishedByTail(fixture).map(text => text.split(' ')[1])).toContain('s-sound');
  const deadLetters = log.stored.messages(SOLANA_DEAD_LETTERS.name);
  expect(deadLetters.length).toBe(dead);
  expect(JSON.parse(deadLetters[0]!.value.toString())).toMatchObject({
    slot: 1,
    index: 0,
    reason: 'Error: transaction without meta',
    raw: broken,
  });
});

test('the scope of all publishes for every account that signs or is changed', async () => {
  fixture = createFixture({ scope: 'all' });
  fixture.chain.add(1, [mentioning('s1', 'Payer', 'Untouched')]);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 1);
  expect(fixture.published('Payer')).toEqual(['transaction s1@1 confirmed']);
  expect(fixture.published('Untouched')).toEqual([]);
});

test.each<[string, (slots: readonly number[]) => readonly number[]]>([
  ['twice', slots => slots.flatMap(slot => [slot, slot])],
  ['from the newest', slots => [...slots].reverse()],
  ['with some from before', slots => [0, 1, ...slots]],
  ['with some that have no block', slots => [...slots, 99, 100_000]],
])('a source that lists slots %s publishes each block once', async (_, list) => {
  fixture = await watching();
  const { chain } = fixture;
  const slotsOf = chain.source.slots.bind(chain.source);
  chain.source.slots = async (...range) => list(await slotsOf(...range));
  const indexer = fixture.start();
  for (let slot = 1; slot <= 12; slot++) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
  await until(() => indexer.status().indexedHeight === 12);
  expect(publishedByTail(fixture).map(text => text.split(' in ')[0])).toEqual(
    Array.from({ length: 12 }, (_each, n) => `transaction s${n + 1}`),
  );
});

test.each([
  ['itself', 3],
  ['a later one', 7],
])('a block that names %s as its parent is a gap, until the source is right again', async (_, parentSlot) => {
  fixture = await watching();
  const { chain } = fixture;
  const blockOf = chain.source.block.bind(chain.source);
  let lies = true;
  chain.source.block = async (slot, finality) => {
    const outcome = await blockOf(slot, finality);
    if (!lies || slot !== 3 || 'absent' in outcome) return outcome;
    const { blockhash } = outcome.found;
    return { found: { ...outcome.found, parentSlot, previousBlockhash: blockhash } };
  };
  const indexer = fixture.start();
  for (let slot = 1; slot <= 4; slot++) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
  await until(() => indexer.status().gap?.height === 3);
  expect(indexer.status().indexedHeight).toBe(2);
  lies = false;
  await until(() => indexer.status().indexedHeight === 4);
  expect(indexer.status().gap).toBeNull();
  expect(publishedByTail(fixture)).toHaveLength(4);
});

test('a source whose tip and finality go back and forth changes nothing that was published', async () => {
  fixture = await watching();
  const { chain } = fixture;
  for (let slot = 1; slot <= 9; slot++) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
  chain.finalize(6);
  const slotOf = chain.source.slot.bind(chain.source);
  let reads = 0;
  chain.source.slot = async finality => {
    const slot = await slotOf(finality);
    return (reads += 1) % 3 === 0 ? Math.floor(slot / 2) : reads % 3 === 1 ? slot : slot + 50;
  };
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 9);
  const rounds = reads;
  await until(() => reads > rounds + 20);
  chain.finalize(9);
  chain.add(10);
  await untilFinalized(9);
  expect(publishedByTail(fixture).filter(text => text.startsWith('rolled-back'))).toEqual([]);
  const seen = publishedByTail(fixture).filter(text => text.startsWith('transaction'));
  expect(new Set(seen).size).toBe(9);
});
