import { run } from './child';
import type { Figure } from './figure';

/** Each row in a process of its own: none inherits the heap, the caches or the open files of another. */
async function measure(name: string, quick: boolean, env: NodeJS.ProcessEnv): Promise<readonly Figure[]> {
  const child = run('measure-row', [name, quick ? 'quick' : 'full'], { env });
  const figures = await child.next<readonly Figure[]>();
  await child.ended();
  return figures;
}

/** One row after the other, each with the given environment. @returns their figures by name */
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
