import { SOLANA_DEAD_LETTERS } from '../../contracts/chain/solana';
import type { Document } from '../../contracts/ports/documents';
import { createFixture, messagesOf, project, until } from './fixture';
import { mentioning, tokensTo } from './raw-transactions';

const ALICE = 'Alice';

let fixture: ReturnType<typeof createFixture>;
afterEach(() => fixture.close());

const projected = (collection = 'solana_transactions'): Document[] =>
  [...project(fixture.log.stored.all)]
    .filter(([id]) => id.startsWith(`${collection}/`))
    .map(([, document]) => document);
const signatures = (): string[] =>
  projected()
    .map(document => String(document['signature']))
    .sort();
const backfilled = (): boolean => fixture.published(ALICE).some(text => text.startsWith('backfilled'));
const untilDone = async (): Promise<void> => {
  const document = (): Promise<Document | null> =>
    fixture.documents.get('indexer_solana_backfills', `solana:mainnet:${ALICE}`);
  for (let phase: unknown; phase !== 'done'; phase = (await document())?.['phase'])
    await new Promise(resolve => setTimeout(resolve, 2));
};

test('an account watched late gets its history, page by page, and then the marker', async () => {
  fixture = createFixture({ backfill: { pageSize: 3 } });
  const { chain } = fixture;
  for (let slot = 1; slot <= 10; slot++) chain.add(slot, [mentioning(`s${slot}`, 'Bob', ALICE)]);
  chain.finalize(10);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 10);
  expect(fixture.published()).toEqual([]);
  await fixture.watch(ALICE);
  await until(backfilled);
  expect(fixture.published(ALICE)).toEqual([
    ...[10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(slot => `transaction s${slot}@${slot} finalized`),
    'backfilled 10',
  ]);
});

test('publishes the same record of a transaction as the tail', async () => {
  fixture = createFixture();
  const { chain } = fixture;
  await fixture.watch(ALICE);
  chain.add(1, [mentioning('s0', 'Bob'), mentioning('s1', 'Bob', ALICE)]);
  chain.finalize(1);
  fixture.start();
  const origins = () => messagesOf(fixture.log).filter(message => message.type === 'transaction');
  await until(() => origins().length === 2);
  const [tail, backfill] = origins()
    .map(message => ({ ...message, origin: 'either' }))
    .sort();
  expect(tail).toEqual(backfill);
});

test('follows token accounts too: current ones, and closed ones that the history mentions', async () => {
  fixture = createFixture();
  const { chain } = fixture;
  const token = (signature: string, tokenAccount: string) =>
    tokensTo(signature, { payer: 'Bob', tokenAccount, owner: ALICE, mint: 'Mint' });
  chain.tokenAccounts = owner => (owner === ALICE ? ['TokensNow'] : []);
  chain.add(1, [token('in-closed', 'TokensThen')]);
  const both = mentioning('mentions-both', ALICE, 'TokensThen');
  const balance = { accountIndex: 1, mint: 'Old', owner: ALICE, uiTokenAmount: { amount: '1', decimals: 0 } };
  chain.add(2, [{ ...both, meta: { ...both.meta!, preTokenBalances: [balance] } }]);
  chain.add(3, [token('in-open', 'TokensNow')]);
  chain.finalize(3);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 3);
  await fixture.watch(ALICE);
  await until(backfilled);
  expect(signatures()).toEqual(['in-closed', 'in-open', 'mentions-both']);
  expect(
    projected('solana_token_transactions')
      .map(({ mint }) => mint)
      .sort(),
  ).toEqual(['Mint', 'Mint', 'Old']);
});

test('no gap: slots that were not final when the account was watched are listed again once they are final', async () => {
  fixture = createFixture();
  const { chain } = fixture;
  for (let slot = 1; slot <= 4; slot++) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
  chain.finalize(2);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 4);
  // The node of the backfill lags behind the node of the tail: it does not list slot 4.
  const list = chain.source.signatures.bind(chain.source);
  let lagging = true;
  chain.source.signatures = async (...query) =>
    (await list(...query)).filter(({ slot }) => !lagging || slot < 4);
  await fixture.watch(ALICE);
  await until(backfilled);
  expect(signatures()).toEqual(['s1', 's2', 's3']);
  lagging = false;
  chain.add(5, [mentioning('s5', ALICE)]);
  chain.finalize(5);
  await untilDone();
  expect(signatures()).toEqual(['s1', 's2', 's3', 's4', 's5']);
  expect(projected().every(({ finality }) => finality === 'finalized')).toBe(true);
});

test('what was published of a block that is abandoned later is retracted', async () => {
  fixture = createFixture();
  const { chain } = fixture;
  const base = chain.add(1, [mentioning('kept', ALICE)]);
  chain.finalize(1);
  chain.add(2, [mentioning('lost', ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 2);
  await fixture.watch(ALICE);
  await until(backfilled);
  expect(signatures()).toEqual(['kept', 'lost']);
  chain.add(3, [], base);
  chain.finalize(3);
  await untilDone();
  expect(signatures()).toEqual(['kept']);
});

test('what was published before a crash is retracted too, when its block is abandoned', async () => {
  fixture = createFixture();
  const { chain, log } = fixture;
  const base = chain.add(1, [mentioning('kept', ALICE)]);
  chain.finalize(1);
  chain.add(2, [mentioning('lost', ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 2);
  // Once the log has it nothing can be published or read, until the block is abandoned.
  let isDown = false;
  chain.fault = () => (isDown ? new Error('HTTP 503') : null);
  log.afterPublish = () => {
    isDown = true;
    throw new Error('no acknowledgement');
  };
  await fixture.watch(ALICE);
  await until(() => signatures().includes('lost'));
  chain.add(3, [], base);
  chain.finalize(3);
  log.afterPublish = () => undefined;
  isDown = false;
  await untilDone();
  expect(signatures()).toEqual(['kept']);
});

test('resumes where it was after a restart and after errors of the source', async () => {
  fixture = createFixture({ backfill: { pageSize: 2 } });
  const { chain } = fixture;
  for (let slot = 1; slot <= 9; slot++) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
  chain.finalize(9);
  await fixture.watch(ALICE);
  chain.fault = (call, slot) => (call === 'blockSignatures' && slot === 5 ? new Error('HTTP 502') : null);
  fixture.start();
  const ofBackfill = () =>
    messagesOf(fixture.log).filter(
      message => message.type === 'transaction' && message.origin === 'backfill',
    );
  await until(() => ofBackfill().length >= 4);
  await fixture.stop();
  chain.fault = () => null;
  fixture.start();
  await until(backfilled);
  expect(signatures()).toEqual(['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's9']);
});

test('a history longer than the maximum is truncated and marked as incomplete', async () => {
  fixture = createFixture({ backfill: { pageSize: 2, maxDepth: 4 } });
  const { chain } = fixture;
  for (let slot = 1; slot <= 9; slot++) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
  chain.finalize(9);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 9);
  await fixture.watch(ALICE);
  await until(backfilled);
  expect(fixture.published(ALICE).at(-1)).toBe('backfilled 9 incomplete');
  expect(signatures()).toEqual(['s6', 's7', 's8', 's9']);
});

test('a past transaction that cannot be decoded becomes a dead letter', async () => {
  fixture = createFixture();
  const { chain, log } = fixture;
  chain.add(1, [{ ...mentioning('broken', ALICE), meta: null }, mentioning('sound', ALICE)]);
  chain.finalize(1);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 1);
  await fixture.watch(ALICE);
  await until(backfilled);
  expect(signatures()).toEqual(['sound']);
  expect(log.stored.messages(SOLANA_DEAD_LETTERS.name)).toHaveLength(1);
});
