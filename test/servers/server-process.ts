import { cp, rm } from 'node:fs/promises';
import type { Program } from './program';
import type { RunningServer } from './server';

/** A server that is a single process. */
export interface ServerProcess {
  /** Its data; removed when it is stopped. */
  readonly folder: string;
  readonly url: string;
  start(): Promise<Program>;
  /** Sends a real request. */
  ask(): Promise<unknown>;
  /** Maximum milliseconds until it answers. */
  readonly timeoutMs: number;
  /** As reported by the running server. */
  version(program: Program): string;
}

/** Starts it, and restarts it after a kill. @throws when it does not answer in time */
export async function startServerProcess({
  folder,
  url,
  start,
  ask,
  timeoutMs,
  version,
}: ServerProcess): Promise<RunningServer> {
  const launch = async (): Promise<Program> => {
    const program = await start();
    try {
      await program.answers(ask, timeoutMs);
    } catch (error) {
      await program.end('SIGKILL');
      throw error;
    }
    return program;
  };

  let program = await launch();
  return {
    url,
    version: version(program),
    stop: async () => {
      await program.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
    kill: () => program.end('SIGKILL'),
    restart: async () => {
      await program.end('SIGTERM');
      program = await launch();
    },
    snapshot: async to => {
      process.kill(program.pid, 'SIGSTOP');
      try {
        await cp(folder, to, { recursive: true, errorOnExist: true, force: false });
      } finally {
        process.kill(program.pid, 'SIGCONT');
      }
    },
    restore: async snapshot => {
      await program.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
      await cp(snapshot, folder, { recursive: true });
      program = await launch();
    },
  };
}
