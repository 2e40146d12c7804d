import { rm } from 'node:fs/promises';
import type { Program } from './program';
import type { RunningServer } from './server';

/** A server that is one program. */
export interface Serving {
  /** Its data; removed when it is stopped. */
  readonly folder: string;
  readonly url: string;
  start(): Promise<Program>;
  /** A real request. */
  ask(): Promise<unknown>;
  /** Milliseconds it may take to answer. */
  readonly timeoutMs: number;
  /** As the first program reports it, once it has answered. */
  version(program: Program): string;
}

/** Runs it, and again when it was killed. @throws when it does not answer in time */
export async function serve({
  folder,
  url,
  start,
  ask,
  timeoutMs,
  version,
}: Serving): Promise<RunningServer> {
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
  };
}
