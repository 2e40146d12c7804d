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

test('the newest transactions of the account itself come first, and it is stated how far they reach', async () => {
  fixture = createFixture({ backfill: { pageSize: 2 } });
  const { chain } = fixture;
  chain.tokenAccounts = owner => (owner === ALICE ? ['Tokens'] : []);
  chain.add(1, [tokensTo('t1', { payer: 'Bob', tokenAccount: 'Tokens', owner: ALICE, mint: 'Mint' })]);
  for (let slot = 2; slot <= 4; slot++) chain.add(slot, [mentioning(`s${slot}`, 'Bob', ALICE)]);
  chain.finalize(4);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 4);
  await fixture.watch(ALICE);
  await untilDone();
  const messages = messagesOf(fixture.log);
  const first = messages.findIndex(({ type }) => type === 'backfilled');
  expect(messages.slice(0, first)).toMatchObject([{ signature: 's4' }, { signature: 's3' }]);
  // Of what does not mention the account nothing is known yet.
  expect(messages[first]).toMatchObject({ mentionedSince: 3, since: 4, parts: 0, complete: false });
  expect(projected('solana_histories')).toMatchObject([{ mentionedSince: -1, since: 0, complete: true }]);
  const queues = fixture.jobs.added.map(({ queue }) => queue);
  expect(queues.slice(0, 2)).toEqual(['solana-first-page-mainnet', 'solana-backfill-mainnet']);
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
  await until(() => signatures().includes('s5'));
  const before = projected('solana_histories');
  chain.finalize(5);
  await untilDone();
  expect(signatures()).toEqual(['s1', 's2', 's3', 's4', 's5']);
  // Who has read the history when it had slot 5, but not slot 4, is notified.
  expect(projected('solana_histories')).toEqual([{ ...before[0], slot: 4 }]);
  expect(projected().every(({ finality }) => finality === 'finalized')).toBe(true);
});

/** A final block, and one that another may still replace: both are backfilled. */
async function backfillWhatIsNotFinal() {
  fixture = createFixture();
  const { chain } = fixture;
  const base = chain.add(1, [mentioning('kept', ALICE)]);
  chain.finalize(1);
  chain.add(2, [mentioning('lost', ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 2);
  await fixture.watch(ALICE);
  await until(backfilled);
  return { chain, base };
}

test('what was published of a block that is abandoned later is retracted', async () => {
  const { chain, base } = await backfillWhatIsNotFinal();
  expect(signatures()).toEqual(['kept', 'lost']);
  chain.add(3, [], base);
  chain.finalize(3);
  await untilDone();
  expect(signatures()).toEqual(['kept']);
});

test('the history shows a retraction although the tail has published a newer transaction', async () => {
  const { chain, base } = await backfillWhatIsNotFinal();
  chain.add(3, [mentioning('newer', ALICE)], base);
  await until(() => signatures().includes('newer'));
  expect(signatures()).toEqual(['kept', 'lost', 'newer']);
  const [before] = projected('solana_histories');
  chain.finalize(3);
  await untilDone();
  expect(signatures()).toEqual(['kept', 'newer']);
  const [after] = projected('solana_histories');
  expect(after).toEqual({ ...before, rollbackOffset: expect.any(Number) as number });
  expect(after).not.toEqual(before);
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

test('a long history is read in parts, the older ones on demand, to its end', async () => {
  fixture = createFixture({ backfill: { pageSize: 2, partSize: 4 } });
  const { chain } = fixture;
  const last = () => fixture.published(ALICE).at(-1);
  for (let slot = 1; slot <= 9; slot++) chain.add(slot, [mentioning(`s${slot}`, ALICE)]);
  chain.finalize(9);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 9);
  await fixture.watch(ALICE);
  await untilDone();
  expect(last()).toBe('backfilled 9 since 6');
  expect(signatures()).toEqual(['s6', 's7', 's8', 's9']);
  for (let requests = 0; requests < 5; requests++) await fixture.readOlder(ALICE, 1);
  await until(() => last() === 'backfilled 9 since 2');
  await untilDone();
  await fixture.readOlder(ALICE, 2);
  await until(() => last() === 'backfilled 9');
  await untilDone();
  expect(signatures()).toEqual(['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8', 's9']);
  await fixture.readOlder(ALICE, 3);
  await fixture.stop();
  expect(fixture.published(ALICE).filter(text => text.startsWith('transaction'))).toHaveLength(9);
});

test('what is said to be known has no gap: token accounts are listed as far back as their owner', async () => {
  fixture = createFixture({ backfill: { pageSize: 2, partSize: 6 } });
  const { chain } = fixture;
  const token = (signature: string) =>
    tokensTo(signature, { payer: 'Bob', tokenAccount: 'Tokens', owner: ALICE, mint: 'Mint' });
  chain.tokenAccounts = owner => (owner === ALICE ? ['Tokens'] : []);
  for (let slot = 1; slot <= 12; slot++)
    chain.add(slot, [slot % 3 === 0 ? token(`t${slot}`) : mentioning(`s${slot}`, ALICE)]);
  chain.finalize(12);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 12);
  await fixture.watch(ALICE);
  await untilDone();
  const [, since] = /since (\d+)/.exec(fixture.published(ALICE).at(-1)!)!;
  const slots = new Set(projected().map(({ slot }) => slot));
  for (let slot = Number(since) + 1; slot <= 12; slot++) expect(slots).toContain(slot);
  expect(Number(since)).toBeLessThan(10);
});

test('a part that is asked for while blocks are not final waits for them', async () => {
  fixture = createFixture({ backfill: { pageSize: 2, partSize: 2 } });
  const { chain } = fixture;
  const base = chain.add(1, [mentioning('s1', ALICE)]);
  chain.finalize(1);
  chain.add(2, [mentioning('s2', ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 2);
  chain.add(3, [mentioning('lost', ALICE)]);
  await until(() => indexer.status().indexedHeight === 3);
  await fixture.watch(ALICE);
  await until(() => fixture.published(ALICE).includes('backfilled 1 since 2'));
  await fixture.readOlder(ALICE, 1);
  chain.add(4, [], base);
  chain.finalize(4);
  await until(() => fixture.published(ALICE).at(-1) === 'backfilled 1');
  expect(signatures()).toEqual(['s1']);
});

test('many transactions of one slot are read by their block', async () => {
  fixture = createFixture();
  const { chain } = fixture;
  const calls: string[] = [];
  chain.fault = call => {
    calls.push(call);
    return null;
  };
  chain.add(
    1,
    Array.from({ length: 30 }, (_, n) => mentioning(`many${n}`, ALICE)),
  );
  chain.add(2, [mentioning('one', ALICE)]);
  chain.finalize(2);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 2);
  calls.length = 0;
  await fixture.watch(ALICE);
  await untilDone();
  expect(signatures()).toHaveLength(31);
  const count = (wanted: string) => calls.filter(call => call === wanted).length;
  expect([count('block'), count('blockSignatures'), count('transactions')]).toEqual([1, 1, 1]);
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

test('what a lagging node lacks is not retracted: only the final chain can prove that', async () => {
  fixture = createFixture();
  const { chain } = fixture;
  chain.add(1, [mentioning('s1', ALICE)]);
  chain.finalize(1);
  chain.add(2, [mentioning('s2', ALICE)]);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 2);
  // Other nodes know that slot 2 is final; the one that lists and has blocks does not.
  const slotOf = chain.source.slot.bind(chain.source);
  const list = chain.source.signatures.bind(chain.source);
  const headerOf = chain.source.header.bind(chain.source);
  let isAhead = false;
  let headers = 0;
  chain.source.slot = async finality => (isAhead ? 5 : slotOf(finality));
  chain.source.signatures = async (account, page, finality) =>
    list(account, { ...page, minSlot: 0 }, finality);
  chain.source.header = async (slot, finality) => {
    if (slot === 2) headers += 1;
    return headerOf(slot, finality);
  };
  await fixture.watch(ALICE);
  await until(backfilled);
  isAhead = true;
  const before = headers;
  await until(() => headers > before + 10); // also those of the tail
  expect(signatures()).toEqual(['s1', 's2']);
  isAhead = false;
  chain.finalize(2);
  await untilDone();
  expect(signatures()).toEqual(['s1', 's2']);
  expect(projected().every(({ finality }) => finality === 'finalized')).toBe(true);
});
