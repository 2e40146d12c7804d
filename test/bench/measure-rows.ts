import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../contracts/text/error-message';
import type { Figure } from './figure';
import type { Outcome } from './measure-row';
import type { Size } from './row';

export interface Measuring {
  readonly size: Size;
  /** Rows at a time; more than one where no figure is judged. */
  readonly concurrency: number;
  /** Of one row; one that takes longer has failed. */
  readonly limitMs: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Called as soon as a row has been measured, with the seconds that it took. */
  onRow(name: string, figures: readonly Figure[], seconds: number): void;
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
  process.on('exit', killAll);
  const limit = new AbortController();
  let outcome: Outcome | null = null;
  child.on('message', message => (outcome = message as Outcome));
  try {
    const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
      if (outcome && 'failed' in outcome) throw new Error(outcome.failed);
      if (!outcome || code !== 0) throw new Error(`ended with ${String(signal ?? code)}`);
      return outcome.figures;
    });
    const late = sleep(limitMs, undefined, { signal: limit.signal }).then((): never => {
      throw new Error(`not measured within ${limitMs / 1_000} s`);
    });
    late.catch(() => undefined);
    return await Promise.race([ended, late]);
  } finally {
    limit.abort();
    killAll();
    process.off('exit', killAll);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

const interrupted = (): never => process.exit(1);

/** Measures rows in their order, the others also when one fails. @returns names of those that failed, with the cause */
export async function measureRows(
  names: readonly string[],
  measuring: Measuring,
): Promise<ReadonlyMap<string, string>> {
  const failed = new Map<string, string>();
  const remaining = [...names];
  const measureRemaining = async (): Promise<void> => {
    for (let name = remaining.shift(); name !== undefined; name = remaining.shift()) {
      process.stderr.write(`${name}\n`);
      const began = performance.now();
      try {
        const figures = await measure(name, measuring);
        measuring.onRow(name, figures, Math.round((performance.now() - began) / 1_000));
      } catch (error) {
        const reason = messageOf(error);
        process.stderr.write(`  ${name}: failed: ${reason}\n`);
        failed.set(name, reason);
      }
    }
  };
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  await Promise.all(Array.from({ length: measuring.concurrency }, measureRemaining));
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  return failed;
}
