import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder';
import { compiledPath } from '../../compiled-path';
import { openSqliteDocuments } from './sqlite-documents';
import { scaled } from '../../../../test/random';
import '../../../../test/starts-programs';

const folder = temporaryFolder();

const writer = compiledPath('test/crash/documents-writer.ts');

const position = async (documents: ReturnType<typeof openSqliteDocuments>): Promise<number> => {
  const checkpoint = await documents.checkpoint('writer');
  return checkpoint && 'position' in checkpoint ? checkpoint.position : 0;
};

const CYCLES = scaled(2);

test.each([
  ['short commits', 0, 7],
  ['commits large enough for the writer thread', 1_200, 1],
])(
  'after a writer of %s was killed at any moment, documents, counters and checkpoint are of one commit',
  async (_, many, more) => {
    const path = join(folder, `${many}.db`);
    const reader = openSqliteDocuments({ path });
    await reader.declare(
      ['numbers', 'many'].map(name => ({
        name,
        indexes: [{ fields: [['n', 'desc']] }],
        counts: [[], ['n']],
      })),
    );
    let before = 0;
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const child = spawn(process.execPath, [writer, path, `${many}`], { stdio: 'inherit' });
      const ended = once(child, 'exit');
      while (child.exitCode === null && (await position(reader)) < before + 5 + (cycle % 12) * more)
        await reader.waitForChange(['numbers'], 100);
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);

      const survivor = openSqliteDocuments({ path });
      const n = await position(survivor);
      const numbers = new Map(
        (await survivor.find('numbers', { limit: 20 })).documents.map(({ _id, n }) => [_id, n]),
      );
      expect(numbers.get('last')).toBe(n);
      for (let k = Math.max(1, n - 9); k <= n; k += 1) expect(numbers.get(`${k % 10}`)).toBe(k);
      expect(await survivor.count('numbers')).toBe(numbers.size);
      expect(await survivor.count('numbers', { n })).toBe(2);
      expect(await survivor.count('many', { n })).toBe(many);
      expect(await survivor.count('many')).toBe(many);
      const [first] = (await survivor.find('numbers', { order: [['n', 'desc']], limit: 1 })).documents;
      expect(first).toMatchObject({ n });
      await survivor.close();
      before = n;
    }
    await reader.close();
  },
);
