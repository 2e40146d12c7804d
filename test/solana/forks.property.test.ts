import fc from 'fast-check';
import { failIf } from '../doubles/failing';
import { createFixture, project, until } from './fixture';
import { mentioning, tokensTo } from './raw-transactions';
import type { Scripted } from './scripted-chain';
import { runs } from '../random';

const ALICE = 'Alice';

/** An event on the chain, in the engines or in the process. */
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('grow' as const), skip: fc.nat(3), transactions: fc.nat(2) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fork' as const), back: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('finalize' as const), behind: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('run' as const), turns: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('watch' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('break' as const),
      what: fc.constantFrom('log before', 'log after', 'documents', 'source'),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
);

test('after any forks and faults, the documents equal the canonical chain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), fc.infiniteStream(fc.nat(99)), play),
    runs(50),
  );
});

async function play(
  actions: readonly (typeof action extends fc.Arbitrary<infer A> ? A : never)[],
  dice: fc.Stream<number>,
) {
  const fixture = createFixture();
  const { chain, log, documents } = fixture;
  const roll = (): number => dice.next().value!;
  let serial = 0;
  const dropped: string[] = [];
  const newTransaction = () => {
    // A transaction of an abandoned block may well be included again, somewhere else.
    const signature = dropped.length > 0 && roll() < 50 ? dropped.pop()! : `s${++serial}`;
    return Number(signature.slice(1)) % 3 === 0
      ? tokensTo(signature, { payer: 'Bob', tokenAccount: 'Tokens', owner: ALICE, mint: 'Mint' })
      : mentioning(signature, 'Bob', ALICE);
  };
  let broken = 0;
  const breaks = (): boolean => broken > 0 && broken-- > 0;
  let final = 0;

  chain.tokenAccounts = () => ['Tokens'];
  if (roll() < 50) await fixture.watch(ALICE);
  fixture.start();
  for (const step of actions) {
    switch (step.do) {
      case 'grow':
        chain.add(chain.tip.slot + 1 + step.skip, Array.from({ length: step.transactions }, newTransaction));
        break;
      case 'fork': {
        const blocks = chain.canonical();
        const base: Scripted = blocks[Math.max(blocks.length - 1 - step.back, 0)]!;
        if (base.slot < final || base === chain.tip) break;
        for (const { transactions } of blocks.filter(({ slot }) => slot > base.slot))
          dropped.push(...transactions.map(({ transaction }) => transaction.signatures[0]!));
        chain.add(base.slot + 1 + (roll() % 4), Array.from({ length: roll() % 3 }, newTransaction), base);
        break;
      }
      case 'finalize':
        final = Math.max(final, chain.canonical().at(-1 - step.behind)?.slot ?? 0);
        chain.finalize(final);
        break;
      case 'run':
        for (let turn = 0; turn < step.turns; turn++) await new Promise(resolve => setImmediate(resolve));
        break;
      case 'restart':
        await fixture.stop();
        fixture.start();
        break;
      case 'watch':
        await fixture.watch(ALICE);
        break;
      case 'break':
        broken = step.times;
        log.beforePublish = failIf(() => step.what === 'log before' && breaks(), 'not published');
        log.afterPublish = failIf(() => step.what === 'log after' && breaks(), 'not acknowledged');
        documents.beforeCommit = failIf(() => step.what === 'documents' && breaks(), 'not stored');
        chain.fault = () => (step.what === 'source' && breaks() ? new Error('HTTP 503') : null);
    }
  }
  broken = 0;
  chain.fault = () => null;
  await fixture.watch(ALICE);
  const last = chain.add(chain.highest + 1); // slots are time: the chain that wins outlives the others
  chain.finalize(last.slot);

  const expected = chain
    .canonical()
    .flatMap(({ slot, blockhash, transactions }) =>
      transactions.map(
        ({ transaction }) => `${transaction.signatures[0]!} in ${slot} ${blockhash} finalized`,
      ),
    );
  const projected = (): string[] =>
    [...project(log.stored.all)]
      .filter(([id]) => id.startsWith('solana_transactions/'))
      .map(
        ([, { signature, slot, blockhash, finality }]) => `${signature} in ${slot} ${blockhash} ${finality}`,
      );
  const same = (): boolean => JSON.stringify(projected().sort()) === JSON.stringify([...expected].sort());
  await until(same).catch(() => {});
  await fixture.close();
  expect(projected().sort()).toEqual([...expected].sort());
  const tokens = [...project(log.stored.all)].filter(([id]) => id.startsWith('solana_token_transactions/'));
  expect(tokens).toHaveLength(expected.filter(text => Number(/^s(\d+)/.exec(text)![1]) % 3 === 0).length);
}
