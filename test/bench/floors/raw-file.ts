import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { Portion } from './raw-sqlite';

/** The minimum that makes events durable: JSON lines, one write and one sync per commit. */
export function openRawFile(path: string) {
  const file = openSync(path, 'a');
  return {
    commit(portions: readonly Portion[]): void {
      const lines = portions.flatMap(({ stream, events }) =>
        events.map(({ id, type, data }) => `${JSON.stringify([stream, id, type, data])}\n`),
      );
      writeSync(file, lines.join(''));
      fdatasyncSync(file);
    },
    close: () => closeSync(file),
  };
}
