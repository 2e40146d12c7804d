import { SOLANA_TRANSACTIONS, type SolanaMessage } from '../../contracts/chain/solana';
import { newMessage } from '../../indexers/solana/records';
import { verifySolana } from '../../infra/cli/networks/solana';
import { loadProgress } from '../../indexers/solana/backfill/progress';
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
