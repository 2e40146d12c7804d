import { beginCell } from '@ton/core';
import { TON_TRANSACTIONS } from '../../contracts/chain/ton';
import type { Commit, Document } from '../../contracts/ports/documents';
import type { Jobs } from '../../contracts/ports/jobs';
import { verifyTon } from '../../infra/cli/networks/ton';
import { createInMemoryViews } from '../../infra/verifier/in-memory-views';
import { backfill } from '../../indexers/ton/backfill/backfill';
import { BACKFILLS } from '../../indexers/ton/backfill/progress';
import { tonDecoder } from '../../indexers/ton/decode/decode';
import { tonTracesProjection } from '../../projections/ton/traces/projection';
import { TRANSACTIONS, type TonTransactionDocument } from '../../projections/ton/transactions/documents';
import { tonTransactionsProjection } from '../../projections/ton/transactions/projection';
import { foldInto } from '../projections/fold-into';
import { Indexing } from './indexing';
import { accountAt, externalMessage, ScriptedChain } from './scripted-chain';

const [A, B, C] = [accountAt(1), accountAt(2), accountAt(3)] as const;
const bodyOf = (text: string) => beginCell().storeUint(0, 32).storeStringTail(text).endCell();

/**
 * A sends to B; what happens after that differs in the branches, at the same logical times.
 * @param own whether there is another transaction of A
 */
function branch(name: string, blocks: number, own = true): ScriptedChain {
  const chain = new ScriptedChain(name);
  chain.mine({ accounts: [{ account: A, received: externalMessage(A, 1), sendsTo: [B] }] });
  const [message] = chain.transactions.get(A)![0]!.sent;
  const delivery = { account: B, received: message!, sendsTo: [] };
  chain.mine({ accounts: name === 'gone' ? [delivery, C] : [C, delivery] });
  if (own) chain.mine({ accounts: [A], body: bodyOf(name) });
  while (chain.tip < blocks) chain.mine();
  return chain;
}

let indexing: Indexing;
afterEach(() => indexing.stop());

/** The documents of the projections after what is on the log now, by collection. */
function projected(): Map<string, Map<string, Document>> {
  const messages = indexing.log.stored.messages(TON_TRANSACTIONS.name);
  const folded = new Map<string, Document>();
  for (const projection of [tonTransactionsProjection(tonDecoder), tonTracesProjection])
    foldInto(folded, projection, messages);
  const collections = new Map<string, Map<string, Document>>();
  for (const [id, document] of folded) {
    const collection = id.slice(0, id.indexOf('/'));
    const documents = collections.get(collection) ?? new Map<string, Document>();
    collections.set(collection, documents.set(document._id, document));
  }
  return collections;
}

const hashesOf = (account: string): (string | undefined)[] =>
  [...(projected().get(TRANSACTIONS.name)?.values() ?? [])]
    .map(document => document as TonTransactionDocument)
    .filter(document => document.account === `ton:mainnet:${account}`)
    .map(({ summary }) => summary?.hash);

/** The indexer has read the branch that is gone, all of A, and does not run. */
async function indexed(chain: ScriptedChain): Promise<void> {
  indexing = new Indexing(chain);
  await indexing.watch(A);
  void indexing.start();
  await indexing.untilFollowed(A);
  await indexing.backfill();
  await indexing.until(async () => (await indexing.openTraces()).length === 0);
  await indexing.stop();
}

/** What an operator runs. @param add as of `Jobs` */
async function verify(add: () => Promise<void>): Promise<void> {
  const { documents, log, store, source } = indexing;
  const { signal } = new AbortController();
  await verifyTon({
    network: 'mainnet',
    identity: 'local',
    source,
    fix: true,
    signal,
    documents,
    log,
    store,
    views: createInMemoryViews(projected),
    jobs: { add } as unknown as Jobs,
  });
}

test('the true history is read again once what a fork has taken back is void, however slow a worker is', async () => {
  await indexed(branch('gone', 5));
  const chain = branch('true', 9);
  indexing.source = chain.source();
  const { documents } = indexing;
  const { signal } = new AbortController();
  // A worker that runs a job at once, and stores its progress late.
  let storeProgress = (): void => undefined;
  const isStored = new Promise<void>(resolve => (storeProgress = resolve));
  const slow = Object.assign(Object.create(documents) as typeof documents, {
    async commit(commit: Commit) {
      if (commit.writes.some(({ collection }) => collection === BACKFILLS.name)) await isStored;
      return documents.commit(commit);
    },
  });
  const reading: Promise<void>[] = [];
  const read = async (): Promise<void> => {
    while (
      !(await backfill({ ...indexing.deps, documents: slow, waitMs: 1 }, { address: A, watch: 1 }, signal))
    );
  };
  const published = () => indexing.transactions.length;
  await verify(async () => {
    const before = published();
    if (reading.length === 0) {
      reading.push(read());
      await indexing.until(() => published() > before);
    } else {
      storeProgress();
      reading.push(Promise.all(reading).then(read));
    }
  });
  storeProgress();
  await Promise.all(reading);
  const hashes = chain.transactions.get(A)!.map(({ hash }) => hash);
  expect(hashesOf(A).sort()).toEqual(hashes.sort());
});

test('what was taken back before a repair was killed is read again by the next one', async () => {
  await indexed(branch('gone', 5, false));
  indexing.source = branch('true', 9, false).source();
  const { documents } = indexing;
  const commit = documents.commit.bind(documents);
  documents.commit = async () => {
    throw new Error('killed');
  };
  await expect(verify(async () => undefined)).rejects.toThrow('killed');
  expect(indexing.messages).toContainEqual(expect.objectContaining({ type: 'retracted', account: A }));
  documents.commit = commit;

  await verify(() => indexing.backfill());
  const types = indexing.messages.map(({ type }) => type);
  expect(types.lastIndexOf('backfilled')).toBeGreaterThan(types.lastIndexOf('retracted'));
});
