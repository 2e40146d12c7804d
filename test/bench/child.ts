import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program of this folder in a child process. */
export interface Child {
  /** The next message it sends. Rejects when it exits without one. */
  next<Message>(): Promise<Message>;
  send(message: string): void;
  /** Sends a message and resolves with the next one received. */
  ask<Message>(question: string | object): Promise<Message>;
  /** Resolves when it has exited by itself. */
  ended(): Promise<void>;
  stop(): Promise<void>;
}

/** @param program path under this folder, without extension */
export function run(program: string, args: readonly string[], options: ForkOptions = {}): Child {
  const process = fork(join(__dirname, `${program}.js`), [...args], options);
  const exit = once(process, 'exit') as Promise<[number | null, string | null]>;
  exit.catch(() => undefined);

  const next = <Message>(): Promise<Message> =>
    Promise.race([
      once(process, 'message').then(([message]) => message as Message),
      exit.then(([code, signal]): never => {
        throw new Error(`${program} ended with ${signal ?? code}`);
      }),
    ]);
  return {
    next,
    send: message => void process.send(message),
    ask(question) {
      const answer = next();
      process.send(question);
      return answer as never;
    },
    async ended() {
      const [code, signal] = await exit;
      if (code !== 0) throw new Error(`${program} ended with ${signal ?? code}`);
    },
    stop: () => stop(process),
  };
}

/** Terminates a process, and waits for its exit. */
export async function stop(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exit = once(process, 'exit');
  process.kill('SIGTERM');
  await exit;
}
