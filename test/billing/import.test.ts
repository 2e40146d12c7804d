import { importFees, type FeeImport, type FeeImportProgress } from '../../services/billing/fee/import';
import { linesIn } from '../../services/billing/fee/lines';
import { verifyServed } from '../proofs/verify-served';
import { createHandle } from '../../services/commands/handle';
import { until } from '../until';
import { fee, openInstance, type TestInstance } from './instance';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openInstance();
});
afterEach(() => instance.close());

/** In chunks that end within lines and characters. */
async function* chunksOf(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

const run = (lines: readonly string[], more?: Partial<FeeImport>, deps?: TestInstance['deps']) =>
  runFile(lines.join('\n'), more, deps);

async function runFile(content: string | Buffer, more: Partial<FeeImport> = {}, deps = instance.deps) {
  const problems: [line: number, problem: string][] = [];
  const seen: FeeImportProgress[] = [];
  const { warnings, isWhole, ...counts } = await importFees(
    deps,
    {
      content: chunksOf(Buffer.from(content as string), 10_007),
      metadata: () => ({ now: '2026-11-20T12:00:00.000Z', actor: 'cli' }),
      onProblem: 'continue',
      report: (line, problem) => problems.push([line, problem]),
      signal: new AbortController().signal,
      ...more,
    },
    progress => seen.push({ ...progress }),
  );
  return { counts, warnings, isWhole, problems, seen };
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

  it('reads the next lines while the event store takes those before them', async () => {
    const { deps } = instance;
    let read = 0;
    const isReading = () => until(() => read === 2_000);
    const append: typeof deps.store.append = async (...given) => {
      await isReading();
      return deps.store.append(...given);
    };
    async function* content(): AsyncGenerator<Buffer> {
      while (read < 2_000) yield Buffer.from(`${line(`f-${read++}`)}\n`);
    }
    const handle = createHandle({ store: { ...deps.store, append } });
    const { counts } = await run([], { content: content() }, { ...deps, handle });
    expect(counts).toMatchObject({ lines: 2_000, recorded: 2_000 });
  });

  it('leaves the event loop to the event store after every few lines', async () => {
    let read = 0;
    let turns = 0;
    const count = (): void => {
      if (read >= 2_000) return;
      if (read > 1_000) turns++;
      setImmediate(count);
    };
    count();
    async function* content(): AsyncGenerator<Buffer> {
      while (read < 2_000) yield Buffer.from(`${line(`f-${read++}`)}\n`);
    }
    expect((await run([], { content: content() })).counts).toMatchObject({ recorded: 2_000 });
    expect(turns).toBeGreaterThan(100);
  });

  it('imports no further batch after a refused line when requested', async () => {
    const lines = Array.from({ length: 2_500 }, (_, i) => line(`f-${i}`));
    lines[1_000] = line('f-0', { fee_amount: '9.99' });
    const { counts, problems } = await run(lines, { onProblem: 'stop' });
    expect(counts).toMatchObject({ recorded: 1_999, refused: 1 });
    expect(problems.map(([at]) => at)).toEqual([1_001]);
  });

  it('reports malformed and refused lines and continues', async () => {
    const { counts, problems } = await run([
      line('a'),
      '',
      '{"id":',
      line('b', { fee_amount: 'ten' }),
      line('d', { merchant_name: 'Ann\u2028' }),
      line('e', { merchant_name: '\u200b' }),
      line('f', { merchant_name: 'gpj.\u202eexe' }),
      line('a', { fee_amount: '9.99' }),
      '{"action":"reverse","id":"a"}',
      line('c'),
      '{not json',
    ]);
    expect(counts).toEqual({ lines: 11, recorded: 3, unchanged: 0, refused: 1, malformed: 6 });
    expect(problems.map(([at]) => at)).toEqual([3, 4, 5, 6, 7, 8, 11]);
    for (const at of [2, 3, 4])
      expect(problems[at]![1]).toBe('/merchant_name: must be one line of visible text');
    expect(problems[0]![1]).toBe('it is not JSON');
    expect(problems[1]![1]).toMatch('/fee_amount');
    expect(problems.at(-2)![1]).toMatch('fee a');
  });

  it('records no text but the one that was written', async () => {
    const row = (id: string, name: string): Buffer =>
      Buffer.from(`${line(id, { merchant_name: name })}\n`, 'latin1');
    const { counts, problems } = await runFile(
      Buffer.concat([
        Buffer.from('\ufeff'),
        row('a', 'Cafe'),
        row('b', 'Caf\xe9'),
        Buffer.from(line('c', { merchant_name: 'Café' })),
        Buffer.from('\r\n \t\n'),
        Buffer.from(line('d').replace('{', '{"id":"e",')),
      ]),
    );
    expect(counts).toEqual({ lines: 5, recorded: 2, unchanged: 0, refused: 0, malformed: 2 });
    expect(problems).toEqual([
      [2, 'it is not UTF-8'],
      [5, 'the member "id" is there twice'],
    ]);
    const { body } = await instance.act({ action: 'list_fee_ledger' });
    expect(body.rows.map(({ id }: { id: string }) => id).sort()).toEqual(['a', 'c']);
  });

  it('ends lines at line feeds alone, wherever a chunk ends', async () => {
    const whole = ['a\u2028b', 'é\u0085\u000b\u000c', '', 'x\ry\r', '\ufeff', 'far too long', 'z'];
    const content = Buffer.from(`\ufeff${whole.join('\n')}\n`);
    for (let size = 1; size <= content.length; size++) {
      const lines: (string | null)[] = [];
      for await (const each of linesIn(chunksOf(content, size), 8)) lines.push(each && each.toString());
      expect(lines).toEqual(whole.map(text => (text === 'far too long' ? null : text)));
    }
  });

  it('warns of rows that are dated in the future, and of fees above their gross amount', async () => {
    const later = { created_at: '2026-11-20T12:00:00.001Z' };
    const { counts, warnings } = await run([
      line('a', later),
      line('b', { fee_amount: '-1.5', gross_amount: '-100' }),
      line('c', { fee_amount: '1.5', gross_amount: '1.4' }),
      line('d', { fee_amount: '-1.5', gross_amount: '-1.4', ...later }),
      '{"action":"collect","id":"nosuch"}',
      line('a', { fee_amount: '200' }),
      ...Array.from({ length: 20 }, (_, i) => line(`f-${i}`, later)),
      line('e', { created_at: '2026-11-20T12:00:00.000Z', fee_amount: '100' }),
    ]);
    expect(counts).toMatchObject({ recorded: 25, refused: 2 });
    expect(warnings).toEqual([
      { warning: 'dated_in_the_future', rows: 22, lines: [1, 4, 7, 8, 9, 10, 11, 12, 13, 14] },
      { warning: 'fee_exceeds_gross', rows: 2, lines: [3, 4] },
    ]);
    expect((await run([line('a', { created_at: undefined })])).warnings).toEqual([]);
  });

  it('reports a line that is too long, and does not keep it', async () => {
    const { counts, problems } = await run([line('a'), ' '.repeat(1_000_000), line('b')]);
    expect(counts).toMatchObject({ lines: 3, recorded: 2, malformed: 1 });
    expect(problems).toEqual([[2, 'longer than 65536 bytes']]);
  });

  it('stops at the first malformed line when requested', async () => {
    const { counts, isWhole } = await run([line('a'), 'x', line('b')], { onProblem: 'stop' });
    expect(counts).toEqual({ lines: 2, recorded: 1, unchanged: 0, refused: 0, malformed: 1 });
    expect(isWhole).toBe(false);
    expect((await run([line('a'), 'x'], { onProblem: 'stop' })).isWhole).toBe(true);
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
