import type { TransactionRef } from '../../contracts/chain/ton-transaction';
import { accountAt, ScriptedChain } from '../../test/ton/scripted-chain';
import { transactionHeader } from './decode/header';
import { SourceError } from './source';
import { verifyHistory, type StoredTransaction } from './verify-history';

const A = accountAt(1);
const { signal } = new AbortController();

/** Chains of different names have different transactions of the account, most at the same logical times. */
function chainOf(name: 'ours' | 'foreign', transactions: number): ScriptedChain {
  const chain = new ScriptedChain(name);
  if (name === 'foreign') chain.mine({ accounts: [accountAt(2)] });
  for (let n = 0; n < transactions; n++) chain.mine({ accounts: [A] });
  return chain;
}
const storedOf = (chain: ScriptedChain): StoredTransaction[] =>
  (chain.transactions.get(A) ?? []).map(({ cell }) => ({ ...transactionHeader(cell), time: 100 })).reverse();

/** The verdicts on stored transactions, newest first, by a source; `asked` are its pages. */
async function judge(
  chain: ScriptedChain,
  stored: readonly StoredTransaction[],
  { hasBlocks = true, prunedBefore = '0' } = {},
) {
  const asked: TransactionRef[] = [];
  const source = chain.source();
  const archive = {
    ...source,
    blockAt: async () => (hasBlocks ? { seqno: 1, rootHash: '', shards: [] } : null),
    transactions: async (...[account, from, stop]: Parameters<typeof source.transactions>) => {
      asked.push(from);
      if (BigInt(from.lt) < BigInt(prunedBefore)) throw new SourceError('pruned');
      return source.transactions(account, from, stop);
    },
  };
  const verdicts: string[] = [];
  async function* each() {
    yield* stored;
  }
  for await (const { verdict } of verifyHistory(archive, A, chain.tip, each(), signal))
    verdicts.push(verdict);
  return { verdicts, asked };
}
const times = (count: number, verdict: string): string[] => Array<string>(count).fill(verdict);

test('a whole history is true without reading it, because each transaction names its predecessor', async () => {
  const ours = chainOf('ours', 100);
  expect(await judge(ours, storedOf(ours))).toEqual({ verdicts: times(100, 'true'), asked: [] });
});

test('transactions of another network are false, wherever they lie between true ones', async () => {
  const ours = chainOf('ours', 60);
  const foreign = storedOf(chainOf('foreign', 60));
  const true_ = storedOf(ours);
  expect((await judge(ours, foreign)).verdicts).toEqual(times(60, 'false'));
  const mixed = true_.map((transaction, index) => (index % 7 === 3 ? foreign[index]! : transaction));
  expect((await judge(ours, mixed)).verdicts).toEqual(
    mixed.map((_, index) => (index % 7 === 3 ? 'false' : 'true')),
  );
});

test('transactions that are missing among the stored ones make none of these false', async () => {
  const ours = chainOf('ours', 60);
  const some = storedOf(ours).filter((_, index) => index % 5 === 4);
  expect((await judge(ours, some)).verdicts).toEqual(times(12, 'true'));
});

test('an account that the network does not have: false where the source has the blocks of that time', async () => {
  const foreign = storedOf(chainOf('foreign', 5));
  const empty = chainOf('ours', 0);
  expect((await judge(empty, foreign)).verdicts).toEqual(times(5, 'false'));
  expect((await judge(empty, foreign, { hasBlocks: false })).verdicts).toEqual(times(5, 'unknown'));
});

test('what the source no longer has is not called false', async () => {
  const ours = chainOf('ours', 60);
  const stored = storedOf(ours);
  const foreign = storedOf(chainOf('foreign', 60));
  const { verdicts } = await judge(ours, [...stored.slice(0, 30), ...foreign.slice(30)], {
    prunedBefore: stored[29]!.lt,
  });
  // What the last true one names as its predecessor is still known to be different.
  expect(verdicts).toEqual([...times(30, 'true'), ...times(2, 'false'), ...times(28, 'unknown')]);
});
