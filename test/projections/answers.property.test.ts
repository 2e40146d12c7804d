import fc from 'fast-check';
import type { Document, Source } from '../../contracts/ports/documents';
import { isKept } from '../../contracts/http/kept';
import { ledger } from './ledger';
import { dataFolder, paid, until, type Program } from './program';

const ACCOUNTS = ['a', 'b', 'c'];
const QUESTIONS: readonly { readonly of: readonly Source[]; readonly ids: readonly string[] }[] = [
  { of: [{ collection: 'accounts' }], ids: ACCOUNTS },
  ...ACCOUNTS.map(part => ({ of: [{ collection: 'accounts', part }], ids: [part] })),
];

/** What payments have come to: it only grows, so an answer that is too old shows. */
const worked = async ({ views }: Program, ids: readonly string[]): Promise<{ readonly total: number }> => {
  const found = await views.getMany<Document & { total: number }>('accounts', ids);
  return { total: [...found.values()].reduce((sum, { total }) => sum + total, 0) };
};
const answered = (program: Program, { of, ids }: (typeof QUESTIONS)[number]) =>
  program.views.answer({ asked: ['total', ids], of }, () => worked(program, ids));

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
        question: fc.nat({ max: QUESTIONS.length - 1 }),
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

test('is never older than what is there, in the program that projects and in another, also across rebuilds', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async plan => {
      const folder = dataFolder();
      try {
        const programs = [0, 1].map(() => folder.open({ projections: [ledger] })) as [Program, Program];
        programs[0].start();
        await until(async () => (await programs[0].engine.status())[0]!.state === 'live');
        const asked: Promise<void>[] = [];
        const paidBy = new Map(ACCOUNTS.map(account => [account, 0]));

        const read = async (program: Program, question: (typeof QUESTIONS)[number]): Promise<void> => {
          const before = await worked(program, question.ids);
          const answer = await answered(program, question);
          const after = await worked(program, question.ids);
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
          // Its own write is in what the writer reads next, wherever that is.
          for (const program of programs) {
            expect(await program.views.reached('accounts', position, 10_000)).toBe(true);
            const own = await answered(
              program,
              QUESTIONS.find(({ ids }) => ids.length === 1 && ids[0] === account)!,
            );
            expect(own.total).toBeGreaterThanOrEqual(atLeast);
          }
        };
        for (const step of plan) {
          if (step.do === 'pay') {
            const payment = pay(step.account, step.wait);
            if (step.wait) await payment;
            else asked.push(payment);
          } else if (step.do === 'read') asked.push(read(programs[step.reader], QUESTIONS[step.question]!));
          else {
            await Promise.all(asked);
            await programs[step.by].engine.rebuild('ledger', { signal: new AbortController().signal });
          }
        }
        await Promise.all(asked);
        for (const question of QUESTIONS) {
          const total = question.ids.reduce((sum, id) => sum + paidBy.get(id)!, 0);
          for (const program of programs)
            await until(async () => (await answered(program, question)).total === total);
          const [first] = programs;
          const kept = await answered(first, question);
          expect(isKept(kept)).toBe(true);
          expect(await answered(first, question)).toBe(kept);
        }
      } finally {
        await folder.remove();
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
}, 120_000);
