import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeDisks } from '../full-disk/disks';
import { call, send } from '../e2e/client';
import { fee } from '../e2e/installation';
import { startTidemark, tidemark, tidemarkJson } from '../e2e/tidemark';
import { scaled } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';

interface Health {
  readonly status: number;
  readonly checks: Record<string, string>;
}

const INDEXED_HEIGHT = /^tidemark_indexer_indexed_height\{.*\} (\d+)$/gm;

/** Engines that are written to without a request. */
const ENGINES = ['event_store', 'log', 'documents'];

describeDisks(
  disk => {
    it('serves reads, refuses commands with the reason, and recovers when there is space', async () => {
      const settings = { DATA_DIR: join(disk.folder, 'data') };
      const program = await startTidemark(settings);
      const pid = program.process.pid!;
      try {
        const { token } = await tidemarkJson<{ token: string }>(
          ['token', '--role', 'admin', '--secure'],
          settings,
        );
        const post = (id: string) =>
          call(program.url, 'POST', '/api/fees', { token, body: { fees: [fee(id)] } });
        const act = (body: object) => call(program.url, 'POST', '/api/instance-admin', { token, body });
        const health = async (): Promise<Health> => {
          const { status, body } = await send(program.operatorsUrl, 'GET', '/health/ready');
          return { status, checks: (body as { checks: Record<string, string> }).checks };
        };
        const indexedHeights = async (): Promise<number[]> =>
          [
            ...String((await send(program.operatorsUrl, 'GET', '/metrics')).body).matchAll(INDEXED_HEIGHT),
          ].map(([, height]) => Number(height));

        for (const id of ['before-1', 'before-2']) expect((await post(id)).status).toBe(200);
        const revenue = await until(
          async () => (await act({ action: 'get_revenue' })).body,
          body => body.summary[0]?.count === 2,
        );

        disk.fill(pid);
        let commands = 0;
        const refused: string[] = [];
        const { status, checks } = await until(
          async () => {
            const id = `during-${++commands}`;
            const answer = await post(id);
            expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
            refused.push(id);
            return health();
          },
          seen => ENGINES.every(engine => seen.checks[engine] !== 'ok'),
        );
        expect(status).toBe(503);
        for (const engine of ENGINES) expect(checks[engine]).toMatch(disk.errorPattern);
        expect((await act({ action: 'get_revenue' })).body).toEqual(revenue);
        expect((await send(program.url, 'GET', '/health/live')).status).toBe(200);

        disk.free(pid);
        await until(health, seen => seen.status === 200);
        const { body } = await act({ action: 'list_fee_ledger', page: 1, pageSize: 200 });
        expect(body.rows.map(({ id }: { id: string }) => id).sort()).toEqual(['before-1', 'before-2']);
        for (const id of refused) expect((await post(id)).status).toBe(200);
        await until(
          async () => (await act({ action: 'get_revenue' })).body.summary[0].count as number,
          count => count === 2 + refused.length,
        );
        // The local networks are on the same disk.
        const before = await indexedHeights();
        expect(before).toHaveLength(4);
        await until(indexedHeights, now => now.every((height, index) => height > before[index]!));
        expect([program.process.exitCode, program.process.signalCode]).toEqual([null, null]);
      } finally {
        disk.free(pid);
        await program.kill('SIGTERM');
      }
    });

    if (disk.isShared)
      it('does not start, and reports one line that names the setting', async () => {
        disk.fill(0);
        try {
          const { code, stdout, stderr } = await tidemark(['start'], { DATA_DIR: join(disk.folder, 'new') });
          expect([code, stdout]).toEqual([1, '']);
          expect(stderr).toMatch(/^error: DATA_DIR: "[^"]+": the disk is full\n$/);
        } finally {
          disk.free(0);
        }
      });
  },
  scaled(1 / 4),
);

it('does not start when the data folder is a file, and reports one line that names the setting', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  for (const path of ['file', 'file/data']) {
    const { code, stdout, stderr } = await tidemark(['start'], { DATA_DIR: join(folder, path) });
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toMatch(/^error: wrong settings: DATA_DIR: "[^"]+": it is not a folder\n$/);
  }
});
