import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiledPath } from '../../infra/engines/compiled-path';
import { scaled, SEED } from '../random';
import { temporaryFolder } from '../temporary-folder';
import { fill } from './engines';
import type { FlipResult } from './flip-bytes';
import '../starts-programs';

/** `npm run test:fuzz` flips 1,000. */
const FLIPS = scaled(50);

const folder = temporaryFolder();
beforeAll(() => fill(folder));

/** @returns the lines it printed; the last one shows where it was when it died */
async function flip(): Promise<{
  code: number | null;
  signal: string | null;
  lines: string[];
  errors: string;
}> {
  const args = [compiledPath('test/damage/flip-bytes.ts'), folder, String(FLIPS), String(SEED)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, lines: output.trim().split('\n'), errors };
}

it('reads a file with any byte flipped without ending the process, and takes nothing damaged for right', async () => {
  const { code, signal, lines, errors } = await flip();
  if (code !== 0) throw new Error(`ended with ${signal ?? code} at ${lines.at(-1)}: ${errors}`);
  const results = lines
    .map(line => JSON.parse(line) as Partial<FlipResult>)
    .filter(({ outcome }) => outcome !== undefined);
  expect(results.length).toBeGreaterThan(FLIPS);
  expect(results.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === 'reported').length).toBeGreaterThan(FLIPS / 10);
});
