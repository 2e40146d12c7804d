import { importFees, type FeeImport, type FeeImportProgress } from '../../services/billing/fee/import';
import { verifyServed } from '../proofs/verify-served';
import { fee, openInstance, type TestInstance } from './instance';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance();
});
afterEach(() => instance.close());

async function run(lines: readonly string[], more: Partial<FeeImport> = {}) {
  const problems: [line: number, problem: string][] = [];
  const seen: FeeImportProgress[] = [];
  const counts = await importFees(
    instance.deps,
    {
      lines: (async function* () {
        yield* lines;
      })(),
      metadata: () => ({ now: '2026-11-20T12:00:00.000Z', actor: 'cli' }),
      onProblem: 'continue',
      report: (line, problem) => problems.push([line, problem]),
      signal: new AbortController().signal,
      ...more,
    },
    progress => seen.push({ ...progress }),
  );
  return { counts, problems, seen };
}

const line = (id: string, more: object = {}): string => JSON.stringify({ ...fee({ id }), ...more });

describe('an import of fees', () => {
  it('records every line, and changes nothing when repeated', async () => {
    const lines = Array.from({ length: 2_500 }, (_, i) => line(`f-${i}`));
    const first = await run(lines);
    expect(first.counts).toEqual({ lines: 2_500, recorded: 2_500, unchanged: 0, refused: 0, malformed: 0 });
    expect(first.seen.map(({ recorded }) => recorded)).toEqual([1_000, 2_000, 2_500]);
    expect((await run(lines)).counts).toMatchObject({ recorded: 0, unchanged: 2_500 });
    const { body } = await instance.act({ action: 'get_revenue' });
    expect(body.summary).toMatchObject([{ count: 2_500, total_fee: '3750.00' }]);
    await verifyServed(instance, { action: 'get_revenue' });
  });

  it('reports malformed and refused lines and continues', async () => {
    const { counts, problems } = await run([
      line('a'),
      '',
      '{"id":',
      line('b', { fee_amount: 'ten' }),
      line('a', { fee_amount: '9.99' }),
      '{"action":"reverse","id":"a"}',
      line('c'),
    ]);
    expect(counts).toEqual({ lines: 7, recorded: 3, unchanged: 0, refused: 1, malformed: 2 });
    expect(problems.map(([at]) => at)).toEqual([3, 4, 5]);
    expect(problems[0]![1]).toBe('not JSON');
    expect(problems[1]![1]).toMatch('/fee_amount');
    expect(problems[2]![1]).toMatch('fee a');
  });

  it('stops at the first malformed line when requested', async () => {
    const { counts } = await run([line('a'), 'x', line('b')], { onProblem: 'stop' });
    expect(counts).toEqual({ lines: 2, recorded: 1, unchanged: 0, refused: 0, malformed: 1 });
  });

  it('stops at the signal', async () => {
    const controller = new AbortController();
    controller.abort();
    expect((await run([line('a')], { signal: controller.signal })).counts).toMatchObject({
      lines: 0,
      recorded: 0,
    });
  });
});
