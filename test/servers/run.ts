import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asset, repository } from './installation';
import type { Identity, RunningServer, TestServer } from './server';
import { servers, type ServerName } from './servers';

/*
 * npm run test:servers [-- [--only kafka,redis | --only tidemark] [patterns and options of jest]]
 *
 * Starts every server of servers.ts in a folder of its own, passes their addresses to jest in the settings of the
 * program, and stops what it started. A server whose setting is already set is used and not started. A server that does
 * not start fails the run.
 *
 * Tests that kill and restart a server start one of their own, with the TestServer of its module, so that no other test
 * is affected. Those of the whole program, `tidemark`, all do: for them alone none is started here.
 */

const SERVERS = Object.keys(servers) as ServerName[];
/** What the file names of tests start with. */
const ALL: readonly string[] = [...SERVERS, 'tidemark'];
const isServer = (name: string): name is ServerName => SERVERS.some(server => server === name);

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const chosen = (args: readonly string[]): { names: readonly string[]; rest: readonly string[] } => {
  const at = args.indexOf('--only');
  if (at < 0) return { names: ALL, rest: args };
  const names = (args[at + 1] ?? '').split(',');
  const unknown = names.filter(name => !ALL.includes(name));
  if (unknown.length > 0) throw new Error(`--only: ${unknown.join(', ')} is not one of ${ALL.join(', ')}`);
  return { names, rest: [...args.slice(0, at), ...args.slice(at + 2)] };
};

const jest = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> => {
  const program = [require.resolve('jest/bin/jest'), '--config', asset('jest.config.js'), ...args];
  const child = spawn(process.execPath, program, {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  const end = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  const [code] = (await once(child, 'exit')) as [number | null];
  signal.removeEventListener('abort', end);
  return code ?? 1;
};

const describe = ({ name }: TestServer, identity: Identity | undefined, how: string): string =>
  identity ? `${identity.kind.padEnd(9)} ${name}: ${identity.version}, ${how}` : `unknown   ${name}: ${how}`;

const main = async (args: readonly string[], signal: AbortSignal): Promise<number> => {
  const { names, rest } = chosen(args);
  const folder = await mkdtemp(join(tmpdir(), 'servers-'));
  const running: RunningServer[] = [];
  const env: Record<string, string> = names === ALL ? {} : { SERVERS_ONLY: names.join(',') };

  const start = async (server: TestServer, name: string): Promise<string> => {
    const { setting } = server;
    const given = process.env[setting];
    if (given) return describe(server, await server.identify?.(given), `given in ${setting}`);
    const began = Date.now();
    const started = await server.start(join(folder, name));
    running.push(started);
    env[setting] = started.url;
    const identity = (await server.identify?.(started.url)) ?? {
      kind: server.kind,
      version: started.version,
    };
    return describe(server, identity, `up in ${Date.now() - began} ms`);
  };

  try {
    const shared = names.filter(isServer);
    const starts = await Promise.allSettled(shared.map(name => start(servers[name], name)));
    const lines = starts.map((outcome, index) =>
      outcome.status === 'fulfilled'
        ? outcome.value
        : `failed    ${shared[index]}: ${String(outcome.reason)}`,
    );
    say(lines.join('\n'));
    if (signal.aborted || starts.some(({ status }) => status === 'rejected')) return 1;
    const code = await jest(rest, env, signal);
    if (shared.length > 0) say(`The servers were:\n${lines.join('\n')}`);
    return code;
  } finally {
    await Promise.allSettled(running.map(server => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
};

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

void main(process.argv.slice(2), stopping.signal).then(
  code => (process.exitCode = code),
  error => {
    say(String(error));
    process.exitCode = 1;
  },
);
