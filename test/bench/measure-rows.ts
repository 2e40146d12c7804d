import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from './figure';
import type { Size } from './row';

export interface Measuring {
  readonly size: Size;
  /** Of one row; one that takes longer has failed. */
  readonly limitMs: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Called as soon as a row has been measured. */
  onRow(name: string, figures: readonly Figure[]): void;
}

/**
 * Measures a row in a process of its own, so that none inherits the heap, caches or open files of another. All that it has
 * started ends with it.
 * @throws when it fails or takes too long
 */
async function measure(
  name: string,
  { size, limitMs, env = process.env }: Measuring,
): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(env['BENCH_DIR'] ?? tmpdir(), `tidemark-bench-${basename(name)}-`));
  // A group of its own, whose processes can be ended together.
  const child = fork(join(__dirname, 'measure-row.js'), [name, size, folder], {
    env,
    detached: true,
  });
  const killAll = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All have ended.
    }
  };
  const interrupted = (): void => {
    killAll();
    process.exit(1);
  };
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  const limit = new AbortController();
  let figures: readonly Figure[] | null = null;
  child.on('message', message => (figures = message as readonly Figure[]));
  try {
    const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
      if (figures === null || code !== 0) throw new Error(`ended with ${String(signal ?? code)}`);
    });
    const late = sleep(limitMs, undefined, { signal: limit.signal }).then(() => {
      throw new Error(`not measured within ${limitMs / 1_000} s`);
    });
    late.catch(() => undefined);
    await Promise.race([ended, late]);
    return figures!;
  } finally {
    limit.abort();
    killAll();
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Measures rows one after the other, the others also when one fails. @returns names of those that failed, with the cause */
export async function measureRows(
  names: readonly string[],
  measuring: Measuring,
): Promise<ReadonlyMap<string, string>> {
  const failed = new Map<string, string>();
  for (const name of names) {
    process.stderr.write(`${name}\n`);
    try {
      measuring.onRow(name, await measure(name, measuring));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(`  ${name}: failed: ${reason}\n`);
      failed.set(name, reason);
    }
  }
  return failed;
}
