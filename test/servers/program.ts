import { spawn } from 'node:child_process';
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

/** Ports that were free a moment ago. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map(server => once(server, 'listening')));
  const ports = servers.map(server => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(server => once(server.close(), 'close')));
  return ports;
}
