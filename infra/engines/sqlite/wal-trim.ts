import { statSync } from 'node:fs';
import type Libsql from 'libsql';

/** SQLite never makes a WAL file smaller by itself, and reuses what is of this size often enough. */
const MAX_WAL_BYTES = 4 * 1024 * 1024;

/** Copies a WAL that has grown back into its file and truncates it, some time after a commit. */
export interface WalTrim {
  /** To be called after a commit of the connection. */
  committed(): void;
  close(): void;
}

/** @param afterMs milliseconds from the first commit since the last time */
export function createWalTrim(path: string, raw: Libsql.Database, afterMs: number): WalTrim {
  let timer: NodeJS.Timeout | undefined;
  const trim = (): void => {
    timer = undefined;
    const { size } = statSync(`${path}-wal`, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size <= MAX_WAL_BYTES) return;
    const [[busyTimeoutMs]] = raw.prepare('PRAGMA busy_timeout').raw().all([]) as [[number]];
    try {
      // Readers and writers are not waited for: the next commit starts another attempt.
      raw.exec('PRAGMA busy_timeout=0');
      raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // What is in the WAL is as safe as what is in the file.
    } finally {
      raw.exec(`PRAGMA busy_timeout=${busyTimeoutMs}`);
    }
  };
  return {
    committed() {
      timer ??= setTimeout(trim, afterMs).unref();
    },
    close: () => clearTimeout(timer),
  };
}
