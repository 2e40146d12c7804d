import fc from 'fast-check';
import type { Document, Source } from '../../contracts/ports/documents';
import { isImmutable } from '../../contracts/http/immutable-response';
import { ledger } from './ledger';
import { dataFolder, paid, until, type Program } from './program';
import { runs } from '../random';

const ACCOUNTS = ['a', 'b', 'c'];
const QUERIES: readonly { readonly of: readonly Source[]; readonly ids: readonly string[] }[] = [
  { of: [{ collection: 'accounts' }], ids: ACCOUNTS },
  ...ACCOUNTS.map(part => ({ of: [{ collection: 'accounts', part }], ids: [part] })),
];

/** The sum of payments only grows, so that a stale answer is detected. */
const computed = async ({ views }: Program, ids: readonly string[]): Promise<{ readonly total: number }> => {
  const found = await views.getMany<Document & { total: number }>('accounts', ids);
  return { total: [...found.values()].reduce((sum, { total }) => sum + total, 0) };
};
const answered = (program: Program, { of, ids }: (typeof QUERIES)[number]) =>
  program.views.cached({ key: ['total', ids], sources: of }, () => computed(program, ids));

type Step =
  | { readonly do: 'pay'; readonly account: string; readonly wait: boolean }
  | { readonly do: 'read'; readonly reader: 0 | 1; readonly question: number }
  | { readonly do: 'rebuild'; readonly by: 0 | 1 };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('pay' as const),
        account: fc.constantFrom(...ACCOUNTS),
        wait: fc.boolean(),
      }),
    },
    {
      weight: 12,
      arbitrary: fc.record({
        do: fc.constant('read' as const),
        reader: fc.constantFrom(0 as const, 1 as const),
        question: fc.nat({ max: QUERIES.length - 1 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('rebuild' as const),
        by: fc.constantFrom(0 as const, 1 as const),
      }),
    },
  ),
  { minLength: 5, maxLength: 60 },
);

test('a cached answer is never stale, in the program that projects and in another, also across rebuilds', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async plan => {
      const folder = dataFolder();
      try {
        const programs = [0, 1].map(() => folder.open({ projections: [ledger] })) as [Program, Program];
        programs[0].start();
        await until(async () => (await programs[0].engine.status())[0]!.state === 'live');
        const running: Promise<void>[] = [];
        const paidBy = new Map(ACCOUNTS.map(account => [account, 0]));

        const read = async (program: Program, question: (typeof QUERIES)[number]): Promise<void> => {
          const before = await computed(program, question.ids);
          const answer = await answered(program, question);
          const after = await computed(program, question.ids);
          expect(answer.total).toBeGreaterThanOrEqual(before.total);
          expect(answer.total).toBeLessThanOrEqual(after.total);
        };
        const pay = async (account: string, wait: boolean): Promise<void> => {
          const { position } = await programs[0].store.append(`account-${account}`, 'any', [
            paid(account, 1),
          ]);
          paidBy.set(account, paidBy.get(account)! + 1);
          const atLeast = paidBy.get(account)!;
          if (!wait) return;
          // Read your own write, in any program.
          for (const program of programs) {
            expect(await program.views.waitForPosition('accounts', position, 60_000)).toBe(true);
            const own = await answered(
              program,
              QUERIES.find(({ ids }) => ids.length === 1 && ids[0] === account)!,
            );
            expect(own.total).toBeGreaterThanOrEqual(atLeast);
          }
        };
        for (const step of plan) {
          if (step.do === 'pay') {
            const payment = pay(step.account, step.wait);
            if (step.wait) await payment;
            else running.push(payment);
          } else if (step.do === 'read') running.push(read(programs[step.reader], QUERIES[step.question]!));
          else {
            await Promise.all(running);
            await programs[step.by].engine.rebuild('ledger', { signal: new AbortController().signal });
          }
        }
        await Promise.all(running);
        for (const question of QUERIES) {
          const total = question.ids.reduce((sum, id) => sum + paidBy.get(id)!, 0);
          for (const program of programs)
            await until(async () => (await answered(program, question)).total === total);
          const [first] = programs;
          expect(isImmutable(await answered(first, question))).toBe(true);
          // Until the last rebuild has removed the generation before, its changes are ones of the collection.
          await until(async () => (await answered(first, question)) === (await answered(first, question)));
        }
      } finally {
        await folder.remove();
      }
    }),
    { ...runs(5), endOnFailure: true },
  );
});
