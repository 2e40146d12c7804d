import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** Makes commits of a connection with `PRAGMA synchronous=NORMAL` durable, without blocking the event loop meanwhile. */
export interface WalSync {
  /**
   * Resolves when all commits before the call are durable: they survive the loss of power, and without it that of the process.
   * Calls that come while one sync runs share the next.
   */
  synced(): Promise<void>;
  /** Waits for what runs. To be called before the database is closed. */
  close(): Promise<void>;
}

const sync = promisify(fdatasync);

/**
 * SQLite keeps the WAL for as long as any connection is open, and a checkpoint syncs what it overwrites
 * (https://www.sqlite.org/wal.html). No lock is on the WAL, so it may be closed, as the database may not.
 * @param path of a database that is open and has been read
 */
export function createWalSync(path: string): WalSync {
  syncFolder(dirname(path));
  const wal = openSync(`${path}-wal`, 'r');
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let open = true;

  const start = (): Promise<void> => {
    next = null;
    return (running = sync(wal).finally(() => {
      if (!next) running = null;
    }));
  };
  return {
    synced: () => (running ? (next ??= running.then(start, start)) : start()),
    close: async () => {
      if (!open) return;
      open = false;
      await (next ?? running)?.catch(() => undefined);
      closeSync(wal);
    },
  };
}

/** So that the WAL is in its folder after a loss of power. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
