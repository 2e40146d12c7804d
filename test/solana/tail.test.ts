import { SOLANA_DEAD_LETTERS } from '../../contracts/chain/solana';
import { loadFrontier, loadStanding, storeFrontier } from '../../indexers/solana/frontier';
import { WrongNetwork } from '../../indexers/solana/wrong-network';
import { createFixture, messagesOf, until } from './fixture';
import { mentioning } from './raw-transactions';

const ALICE = 'Alice';

const watching = (options: Parameters<typeof createFixture>[0] = {}) => {
  const fixture = createFixture(options);
  fixture.store.watch('mainnet', ALICE);
  return fixture;
};
/** What the tail said of Alice; the back-fill speaks of the same, at its own time. */
const tailSaid = ({ log }: ReturnType<typeof createFixture>): string[] =>
  messagesOf(log).flatMap(message => {
    if (message.type === 'backfilled' || (message.type === 'transaction' && message.origin !== 'tail'))
      return [];
    return [`${message.type} ${message.signature} in ${message.blockhash}`];
  });

let fixture: ReturnType<typeof createFixture>;
afterEach(() => fixture.stop());

test('publishes what concerns the watched, at confirmed, and says when it is final', async () => {
  fixture = watching();
  const { chain } = fixture;
  const indexer = fixture.start();
  await until(() => indexer.status().frontier === 0);
  const one = chain.add(1, [mentioning('s1', 'Bob', ALICE), mentioning('s2', 'Bob', 'Carol')]);
  await until(() => tailSaid(fixture).length === 1);
  expect(fixture.said()).toContain('transaction s1@1 confirmed');
  chain.add(2);
  chain.finalize(1);
  await until(() => indexer.status().finalized === 1);
  expect(tailSaid(fixture)).toEqual([
    `transaction s1 in ${one.blockhash}`,
    `finalized s1 in ${one.blockhash}`,
  ]);
  expect(indexer.status()).toEqual({
    network: 'mainnet',
    tip: 2,
    frontier: 2,
    finalized: 1,
    lag: 0,
    hole: null,
  });
});

test('slots without a block are passed because the next block names its parent', async () => {
  fixture = watching();
  const { chain } = fixture;
  const indexer = fixture.start();
  chain.add(1, [mentioning('s1', ALICE)]);
  chain.add(7, [mentioning('s7', ALICE)]);
  chain.add(5_000, [mentioning('s5000', ALICE)]);
  await until(() => indexer.status().frontier === 5_000);
  expect(tailSaid(fixture).map(said => said.split(' ')[1])).toEqual(['s1', 's7', 's5000']);
});

test('a block missing from the list of slots is read all the same', async () => {
  fixture = watching();
  const { chain } = fixture;
  const list = chain.source.slots.bind(chain.source);
  chain.source.slots = async (from, to, finality) =>
    (await list(from, to, finality)).filter(slot => slot % 2 === 0);
  for (const slot of [1, 2, 3, 5, 6]) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().frontier === 6);
  expect(tailSaid(fixture).map(said => said.split(' ')[1])).toEqual(['s1', 's2', 's3', 's5', 's6']);
});

test('what was told of an abandoned block is taken back before the fork goes on', async () => {
  fixture = watching();
  const { chain } = fixture;
  const indexer = fixture.start();
  const base = chain.add(1);
  const lost2 = chain.add(2, [mentioning('s-both', ALICE), mentioning('s-lost', ALICE)]);
  const lost3 = chain.add(3, [mentioning('s-lost-too', ALICE)]);
  await until(() => indexer.status().frontier === 3);
  const won2 = chain.add(2, [], base);
  const won4 = chain.add(4, [mentioning('s-both', ALICE)], won2);
  await until(() => indexer.status().frontier === 4);
  expect(tailSaid(fixture)).toEqual([
    `transaction s-both in ${lost2.blockhash}`,
    `transaction s-lost in ${lost2.blockhash}`,
    `transaction s-lost-too in ${lost3.blockhash}`,
    `rolled-back s-lost-too in ${lost3.blockhash}`,
    `rolled-back s-both in ${lost2.blockhash}`,
    `rolled-back s-lost in ${lost2.blockhash}`,
    `transaction s-both in ${won4.blockhash}`,
  ]);
});

test('a fork that overtakes while the process is down is noticed after the restart', async () => {
  fixture = watching();
  const { chain } = fixture;
  const base = chain.add(1);
  chain.add(2);
  chain.add(3, [mentioning('s-lost', ALICE)]);
  let indexer = fixture.start();
  await until(() => indexer.status().frontier === 3);
  await fixture.stop();
  chain.add(4, [mentioning('s-won', ALICE)], base);
  indexer = fixture.start();
  await until(() => indexer.status().frontier === 4);
  expect(tailSaid(fixture).map(said => said.split(' in ')[0])).toEqual([
    'transaction s-lost',
    'rolled-back s-lost',
    'transaction s-won',
  ]);
});

test('a death between publishing a block and moving the frontier leaves nothing that a fork cannot take back', async () => {
  fixture = watching();
  const { chain, documents, log } = fixture;
  const base = chain.add(1);
  let indexer = fixture.start();
  await until(() => indexer.status().frontier === 1);
  const published = (): boolean => tailSaid(fixture).some(said => said.startsWith('transaction s-ghost'));
  documents.fault = published; // from the moment it is told, nothing can be stored
  const ghost = chain.add(2, [mentioning('s-ghost', ALICE)]);
  await until(published);
  await fixture.stop();
  documents.fault = null;
  log.fault = null;
  chain.add(3, [], base);
  indexer = fixture.start();
  await until(() => indexer.status().frontier === 3);
  const said = tailSaid(fixture);
  expect(said.at(-1)).toBe(`rolled-back s-ghost in ${ghost.blockhash}`);
});

test('a frontier that somebody else has moved is loaded anew, and the tail goes on from there', async () => {
  fixture = watching();
  const { chain, documents } = fixture;
  chain.add(1, [mentioning('s1', ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().frontier === 1);
  const stored = (await loadFrontier(documents, 'mainnet'))!;
  await storeFrontier(documents, 'mainnet', stored, stored);
  chain.add(2, [mentioning('s2', ALICE)]);
  await until(() => indexer.status().frontier === 2);
  expect(tailSaid(fixture).map(said => said.split(' ')[1])).toEqual(['s1', 's2']);
});

test('an error of the source holds the frontier, and what comes after is in order', async () => {
  const failed: unknown[] = [];
  fixture = watching({ hooks: { failed: error => failed.push(error) } });
  const { chain } = fixture;
  let down = true;
  chain.fault = (call, slot) => (down && call === 'block' && slot === 2 ? new Error('HTTP 500') : null);
  for (const slot of [1, 2, 3]) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
  const indexer = fixture.start();
  await until(() => failed.length > 2);
  expect(indexer.status().frontier).toBe(1);
  down = false;
  await until(() => indexer.status().frontier === 3);
  expect(tailSaid(fixture).map(said => said.split(' ')[1])).toEqual(['s1', 's2', 's3']);
});

test.each(['pruned', 'skipped', 'pending'] as const)(
  'a block that is %s for good is a hole, shown and not stepped over',
  async absent => {
    fixture = watching();
    const { chain } = fixture;
    let lost = true;
    chain.fault = (call, slot) => (lost && call === 'block' && slot === 2 ? absent : null);
    for (const slot of [1, 2, 3]) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
    const indexer = fixture.start();
    await until(() => indexer.status().hole !== null);
    expect(indexer.status()).toMatchObject({
      frontier: 1,
      hole: { slot: 2, reason: `the block is listed but ${absent}` },
    });
    const stored = () => loadStanding(fixture.documents, 'mainnet');
    await until(async () => (await stored())!.hole !== null);
    const { hole } = indexer.status();
    expect(await stored()).toEqual({ frontier: 1, newest: 3, hole });
    lost = false;
    await until(() => indexer.status().frontier === 3);
    expect(indexer.status().hole).toBeNull();
    await until(async () => (await stored())!.hole === null);
    expect(await stored()).toEqual({ frontier: 3, newest: 3, hole: null });
  },
);

test('another genesis is refused before anything is published', async () => {
  fixture = watching();
  fixture.chain.add(1);
  const first = fixture.start();
  await until(() => first.status().frontier === 1);
  await fixture.stop();
  fixture.chain.genesis = 'of-another-network';
  await expect(fixture.start().done).rejects.toThrow(WrongNetwork);
});

test('a source whose final block of that slot is another one is refused', async () => {
  fixture = watching();
  const { chain } = fixture;
  chain.add(1);
  chain.finalize(1);
  const first = fixture.start();
  await until(() => first.status().finalized === 1);
  await fixture.stop();
  const [genesis] = chain.canonical();
  chain.add(1, [], genesis!);
  await expect(fixture.start().done).rejects.toThrow(WrongNetwork);
});

test('a final block that turns out to be none of ours opens a hole instead of being taken back', async () => {
  fixture = watching();
  const { chain } = fixture;
  chain.add(1, [mentioning('s1', ALICE)]);
  chain.finalize(1);
  const indexer = fixture.start();
  await until(() => indexer.status().finalized === 1);
  const [genesis] = chain.canonical();
  chain.add(3, [], genesis!);
  await until(() => indexer.status().hole !== null);
  expect(indexer.status()).toMatchObject({ frontier: 1, hole: { slot: 1 } });
  expect(fixture.said().some(said => said.startsWith('rolled-back'))).toBe(false);
});

test('a transaction that cannot be decoded is put aside with what the chain said, and the tail goes on', async () => {
  let dead = 0;
  fixture = watching({ hooks: { deadLettered: count => (dead += count) } });
  const { chain, log } = fixture;
  const broken = { ...mentioning('s-broken', ALICE), meta: null };
  chain.add(1, [broken, mentioning('s-sound', ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().frontier === 1);
  expect(tailSaid(fixture).map(said => said.split(' ')[1])).toContain('s-sound');
  const letters = log.messages.filter(({ topic }) => topic === SOLANA_DEAD_LETTERS.name);
  expect(letters.length).toBe(dead);
  expect(JSON.parse(letters[0]!.value.toString())).toMatchObject({
    slot: 1,
    index: 0,
    reason: 'Error: transaction without meta',
    raw: broken,
  });
});

test('the scope of all speaks to whoever signs or is changed', async () => {
  fixture = createFixture({ scope: 'all' });
  fixture.chain.add(1, [mentioning('s1', 'Payer', 'Untouched')]);
  const indexer = fixture.start();
  await until(() => indexer.status().frontier === 1);
  expect(fixture.said('Payer')).toEqual(['transaction s1@1 confirmed']);
  expect(fixture.said('Untouched')).toEqual([]);
});
