import { run } from './child';
import type { Figure } from './figure';

/** Measures a row in a process of its own, so that none inherits the heap, caches or open files of another. */
async function measure(name: string, quick: boolean, env: NodeJS.ProcessEnv): Promise<readonly Figure[]> {
  const child = run('measure-row', [name, quick ? 'quick' : 'full'], { env });
  const figures = await child.next<readonly Figure[]>();
  await child.ended();
  return figures;
}

/** Measures rows one after the other. @returns their figures by name */
export async function measureRows(
  names: readonly string[],
  quick: boolean,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Record<string, readonly Figure[]>> {
  const rows: Record<string, readonly Figure[]> = {};
  for (const name of names) {
    process.stderr.write(`${name}\n`);
    rows[name] = await measure(name, quick, env);
  }
  return rows;
}
