import { SOLANA_TRANSACTIONS, type SolanaMessage } from '../../contracts/chain/solana';
import { newMessage } from '../../indexers/solana/records';
import { verifySolana } from '../../infra/cli/networks/solana';
import { loadProgress } from '../../indexers/solana/backfill/progress';
import { resetAccount } from '../../indexers/solana/reset';
import { createFixture, messagesOf, until } from './fixture';
import { mentioning } from './raw-transactions';

const ALICE = 'Alice';
const BOB = 'Bob';

let fixture: ReturnType<typeof createFixture>;
beforeEach(() => void (fixture = createFixture()));
afterEach(() => fixture.close());

const seen = (account: string): Set<string> =>
  new Set(
    messagesOf(fixture.log).flatMap(message =>
      message.type === 'transaction' && message.account === account ? [message.signature] : [],
    ),
  );
const isBackfilled = async (address: string): Promise<boolean> =>
  (await loadProgress(fixture.documents, 'mainnet', address))?.phase === 'done';

/** What an operator runs to have what is false taken back. */
async function verify(): Promise<void> {
  const { documents, log, store, jobs, chain } = fixture;
  const { signal } = new AbortController();
  await verifySolana({
    network: 'mainnet',
    identity: 'local',
    source: chain.source,
    fix: true,
    signal,
    documents,
    log,
    store,
    jobs,
  });
}

test('a repair that was killed is made whole by the next one, also of accounts of which nothing is false', async () => {
  const { chain, watch } = fixture;
  const shared = chain.add(1, [mentioning('s1', 'Carol', ALICE, BOB)]);
  chain.add(2, [mentioning('gone', 'Carol', ALICE)]);
  chain.finalize(2);
  await watch(ALICE);
  await watch(BOB);
  const before = fixture.start();
  await until(async () => (await isBackfilled(ALICE)) && (await isBackfilled(BOB)));
  await until(() => before.status().indexedHeight === 2);
  await fixture.stop();

  chain.choose(shared);
  for (let slot = 2; slot <= 6; slot++) chain.add(slot, [mentioning(`t${slot}`, 'Carol', BOB)]);
  chain.finalize(6);
  let calls = 0;
  chain.fault = name => (name === 'header' && ++calls === 4 ? new Error('killed') : null);
  await expect(verify()).rejects.toThrow('killed');
  chain.fault = () => null;
  await verify();

  const after = fixture.start();
  chain.add(7, [mentioning('t7', 'Carol', BOB)]);
  chain.finalize(7);
  await until(() => after.status().indexedHeight === 7);
  await until(() => ['s1', 't2', 't3', 't4', 't5', 't6', 't7'].every(signature => seen(BOB).has(signature)));
});

test('what was taken back before a repair was killed is read again by the next one', async () => {
  const { chain, watch, log, documents } = fixture;
  chain.add(1, [mentioning('s1', 'Carol', ALICE)]);
  chain.finalize(1);
  await watch(ALICE);
  fixture.start();
  await until(() => isBackfilled(ALICE));
  await fixture.stop();

  const [true1] = messagesOf(log).filter(message => message.type === 'transaction');
  await log.publish(SOLANA_TRANSACTIONS.name, [
    newMessage({ ...true1!, signature: 'false', blockhash: 'of another network' } as SolanaMessage),
  ]);
  const { commit } = documents;
  documents.commit = async () => {
    throw new Error('killed');
  };
  await expect(verify()).rejects.toThrow('killed');
  documents.commit = commit;
  await verify();

  fixture.start();
  const isWhole = (): boolean => {
    const types = messagesOf(log).map(({ type }) => type);
    return types.includes('retracted') && types.lastIndexOf('backfilled') > types.lastIndexOf('retracted');
  };
  await until(isWhole);
});

test('what was published and not final when the cursor was reset is taken back once the chain shows another block', async () => {
  const { chain, watch } = fixture;
  const genesis = chain.tip;
  chain.add(1);
  chain.finalize(1);
  await watch(ALICE);
  const before = fixture.start();
  await until(() => isBackfilled(ALICE));
  chain.add(2, [mentioning('gone', 'Carol', ALICE)]);
  await until(() => before.status().indexedHeight === 2);
  await fixture.stop();

  chain.choose(genesis);
  chain.add(1);
  chain.finalize(1);
  chain.add(2, [mentioning('true', 'Carol', ALICE)]);
  await verify();
  fixture.start();
  await until(() => seen(ALICE).has('true'));
  await until(() => fixture.published(ALICE).includes('rolled-back gone@2'));
});

test('a history that a worker is reading when it is to be read again is read from its beginning', async () => {
  await fixture.close();
  fixture = createFixture({ backfill: { pageSize: 1 } });
  const { chain, watch, documents, store, jobs } = fixture;
  for (let slot = 1; slot <= 5; slot++) chain.add(slot, [mentioning(`s${slot}`, 'Carol', ALICE)]);
  chain.finalize(5);
  const indexer = fixture.start();
  await until(() => indexer.status().indexedHeight === 5);

  let readOn = (): void => undefined;
  const isReset = new Promise<void>(resolve => (readOn = resolve));
  let isReading = false;
  const { signatures } = chain.source;
  chain.source.signatures = async (account, page, finality) => {
    const entries = await signatures(account, page, finality);
    if (page.before === 's3' && !isReading) {
      isReading = true;
      await isReset;
    }
    return entries;
  };
  await watch(ALICE);
  await until(() => isReading);
  const published = fixture.published(ALICE).length;
  await resetAccount({ network: 'mainnet', documents, store, jobs }, ALICE);
  readOn();
  await until(() => isBackfilled(ALICE));
  const again = fixture.published(ALICE).slice(published);
  for (let slot = 1; slot <= 5; slot++) expect(again).toContain(`transaction s${slot}@${slot} finalized`);
});
