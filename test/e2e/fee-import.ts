import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fee, type Installation } from './installation';
import { tidemark, tidemarkJson } from './tidemark';

export function feeImport(main: Installation): void {
  it('names a file that is not there, or none', async () => {
    const none = join(main.folder, 'none.ndjson');
    for (const [file, fault] of [
      [none, 'there is no such file'],
      [main.folder, 'it is a folder'],
    ] as const) {
      const { code, stderr } = await tidemark(['fees', 'import', file], main.settings);
      expect([code, stderr]).toEqual([1, `error: ${file}: ${fault}\n`]);
    }
  });

  it('imports fees from a file beside the running program', async () => {
    const file = join(main.folder, 'fees.ndjson');
    const lines = Array.from({ length: 2_500 }, (_, i) =>
      JSON.stringify(fee(`file-${i}`, { fee_amount: '0.01', created_at: '2026-05-20T00:00:00.000Z' })),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
    const counts = { lines: 2_500, refused: 0, malformed: 0, warnings: [], isWhole: true };
    expect(await tidemarkJson(['fees', 'import', file], main.settings)).toEqual({
      ...counts,
      recorded: 2_500,
      unchanged: 0,
    });
    expect(await main.command('fees', 'import', file)).toEqual({ ...counts, recorded: 0, unchanged: 2_500 });
    const { events } = (await main.command('status')) as { events: number };
    const { body } = await main.act(
      { action: 'get_revenue', dateFrom: '2026-05-01', dateTo: '2026-05-31' },
      { after: String(events) },
    );
    expect(body).toMatchObject({
      summary: [{ collection_status: 'collected', count: 2_500, total_fee: '25.00' }],
    });

    writeFileSync(file, `${lines[0]}\n{"id":"bad"}\n`);
    const { code, stderr } = await tidemark(['--json', 'fees', 'import', file], main.settings);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file}:2: `)]);
  });
}
