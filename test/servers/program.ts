import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Program {
  readonly pid: number;
  /** Its output so far. */
  output(): string;
  /** Sends the signal and resolves when the process has exited. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Calls until it succeeds. @throws when the process has exited, or after the timeout */
  answers<Answer>(ask: () => Promise<Answer>, timeoutMs: number): Promise<Answer>;
}

/** Starts a program whose output is appended to a file. */
export async function startProgram(
  command: string,
  args: readonly string[],
  outputFile: string,
): Promise<Program> {
  const file = openSync(outputFile, 'a');
  const child = spawn(command, args, { stdio: ['ignore', file, file] });
  closeSync(file);
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const output = (): string => (existsSync(outputFile) ? readFileSync(outputFile, 'utf8') : '');
  const failure = (what: string): Error =>
    new Error(`${command} ${what}; it wrote:\n${output().split('\n').slice(-30).join('\n')}`);

  return {
    pid: child.pid!,
    output,
    end: async signal => {
      if (hasEnded()) return;
      child.kill(signal);
      await ended;
    },
    answers: async (ask, timeoutMs) => {
      for (const deadline = Date.now() + timeoutMs; ;) {
        if (hasEnded()) throw failure('ended');
        try {
          return await ask();
        } catch (error) {
          if (Date.now() > deadline) throw failure(`does not answer (${String(error)})`);
          await pause(100);
        }
      }
    },
  };
}

/** Below the ports that systems give to outgoing connections, which would take one before its server has started. */
const FIRST_PORT = 10_000;
/** Each worker of jest has its own, so that none takes one that another has just found free. */
const PORTS_OF_WORKER = 1_250;
const MAX_WORKERS = 16;
/** A server that starts slowly does not listen yet on the port that it was given. */
const given = new Set<number>();

function randomPort(): number {
  const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % MAX_WORKERS;
  return FIRST_PORT + worker * PORTS_OF_WORKER + randomInt(PORTS_OF_WORKER);
}

async function claimPort(): Promise<{ readonly port: number; readonly release: () => Promise<unknown> }> {
  for (;;) {
    const wanted = randomPort();
    if (given.has(wanted)) continue;
    given.add(wanted);
    const server = createServer().listen(wanted, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      return { port, release: () => once(server.close(), 'close') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

/** Ports that were free a moment ago, and that nobody else of the process is given. */
export async function freePorts(count: number): Promise<number[]> {
  const claims = await Promise.all(Array.from({ length: count }, claimPort));
  await Promise.all(claims.map(({ release }) => release()));
  return claims.map(({ port }) => port);
}
