import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { temporaryFolder } from '../../test/temporary-folder';
import { runCommandLine } from './command-line';
import type { CommandEntry, MakeCommand } from '../program/commands/command';
import { FEATURES } from '../program/features';
import { COMMAND_GROUPS, COMMANDS } from './commands';
import { OWN_COMMANDS } from './own-commands';

const folder = temporaryFolder();
afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = undefined;
});

/** As a shell splits them: quoted ones are one word, and nothing after `>`. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ > .*/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);

/** Any port that is free, and a folder that no program uses: one may run beside the tests. */
const ALONE = {
  PORT: '0',
  METRICS_PORT: '0',
  LOCAL_NETWORK_PORT: '0',
  DATA_DIR: join(folder, 'data'),
};

/** Runs a command line as the program does. */
async function run(line: string, env: Record<string, string> = {}) {
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    jest.spyOn(process[name], 'write').mockImplementation(part => {
      text[name] += String(part);
      return true;
    });
  const code = await runCommandLine(wordsOf(line), { LOG_LEVEL: 'fatal', ...ALONE, ...env });
  jest.restoreAllMocks();
  return { code, ...text, lastLine: text.stderr.trimEnd().split('\n').at(-1) };
}

/** What is wrong with the words of a command line, whose action does not run. */
async function faultOf(make: MakeCommand, words: readonly string[]): Promise<string | null> {
  const prepare = (command: Command): void => {
    command.exitOverride().configureOutput({ outputError: () => undefined });
    if (command.commands.length === 0) command.action(() => undefined);
    command.commands.forEach(prepare);
  };
  const command = make(() => {
    throw new Error('settings were read');
  });
  prepare(command);
  return command.parseAsync(words, { from: 'user' }).then(
    () => null,
    (error: Error) => error.message,
  );
}

test('the command line has the commands of every feature, and of no other', () => {
  const ofFeatures = FEATURES.all.flatMap(({ commands = [] }) => commands);
  expect(ofFeatures.length).toBeGreaterThan(20);
  const namesOf = (commands: readonly CommandEntry[]) => commands.map(({ name }) => name).sort();
  expect(namesOf(COMMANDS)).toEqual(namesOf([...OWN_COMMANDS, ...ofFeatures]));
});

describe('help', () => {
  it('lists every command in its group, and loads none of them', async () => {
    const loads = COMMANDS.map(command => jest.spyOn(command, 'load'));
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    for (const load of loads) expect(load).not.toHaveBeenCalled();
    for (const { title, commands } of COMMAND_GROUPS) {
      const [, section] = stdout.split(`\n${title}:\n`);
      for (const { name } of commands)
        expect(section!.split('\n\n')[0]).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
    expect(stdout).toContain('Examples:');
  });

  it.each(COMMANDS.map(({ name }) => name))('of %s is that of the command', async name => {
    const { code, stdout } = await run(`help ${name}`);
    expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^Usage: tidemark ${name}\\b`))]);
  });

  it.each(COMMANDS)('of $name has examples that are right', async ({ name, examples, load }) => {
    const { stdout } = await run(`help ${name}`);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(stdout).toContain(`\n  tidemark ${example}\n`);
      const [first, ...words] = wordsOf(example.replace(/^--json /, ''));
      expect(first).toBe(name);
      expect(await faultOf(await load(), words)).toBeNull();
    }
  });

  it('explains a command of a command, and reports one that there is not', async () => {
    expect((await run('help fees import')).stdout).toContain('Usage: tidemark fees import');
    const unknown = await run('help feees');
    expect(unknown).toMatchObject({ code: 64, stdout: '' });
    expect(unknown.lastLine).toContain("unknown command 'feees'");
  });

  it.each(['status --help', 'help fees', 'fees list --help', 'rebates rule set --help'])(
    'of %j has the options of every command',
    async line => {
      expect((await run(line)).stdout).toMatch(/\nGlobal Options:\n +--json +print results as JSON/);
    },
  );

  it('--version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('a wrong command line', () => {
  it.each([
    ['nosuch', "error: unknown command 'nosuch'"],
    ['statsu', "error: unknown command 'statsu' (Did you mean status?)"],
    ['fees nosuch', "error: unknown command 'nosuch'"],
    ['', 'error: a command is missing'],
    ['fees', 'error: a command is missing'],
    ['fees import', "error: missing required argument 'file'"],
    ['status --nosuch', "error: unknown option '--nosuch'"],
    ['token --ttl 0', /^error: option '--ttl <seconds>' argument '0' is invalid/],
    ['rebuild', 'error: name a projection, or use --all'],
    ['rebuild nope', 'error: there is no projection nope; tidemark rebuild --help lists them'],
    ['rebuild fees --all', 'error: fees and --all exclude each other'],
    ['erase ann', /^error: this cannot be undone/],
    ['settlements void 1 --reason double', /^error: id: /],
  ])('%j ends with 64 and the error in the last line', async (line, error) => {
    const { code, stdout, lastLine } = await run(line, { DATA_DIR: join(folder, 'never') });
    expect([code, stdout]).toEqual([64, '']);
    expect(lastLine).toMatch(error);
  });

  it('shows at most ten lines of help before an unknown command', async () => {
    const { stderr } = await run('nosuch');
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(11);
    for (const { name } of COMMANDS) expect(stderr).toContain(name);
  });
});

it('wrong settings are as wrong usage, and named', async () => {
  const { code, stderr } = await run('revenue', { PORT: 'many' });
  expect([code, stderr]).toEqual([64, expect.stringMatching(/^error: wrong settings: PORT="many": /)]);
});

it('a data folder that is a file is a wrong setting, which no restart changes', async () => {
  const { code, stderr } = await run('start', { DATA_DIR: __filename });
  expect([code, stderr]).toEqual([
    64,
    expect.stringMatching(/^error: wrong settings: DATA_DIR: .*: it is not a folder$/m),
  ]);
});

it('an address that cannot be listened on is no wrong setting: the next start may succeed', async () => {
  const { code, stderr } = await run('start', { HOST: '192.0.2.1', PORT: '0' });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: cannot listen: HOST=192\.0\.2\.1/m)]);
});

/** Examples that are refused earlier, for a file that does not exist. */
const REFUSED_EARLIER = ['config set app mainnet config.json', 'banners publish browser banner.json'];
const FURTHER = [
  ...['token', 'rebuild --all', 'replay', 'fees list', 'revenue', 'audit', 'export', 'proof checkpoint'],
  ...['config history app mainnet', 'domains list', 'apps verified', 'push devices'],
];

/** Lines of every command that runs on existing data, which get past the check of their arguments. */
const LINES = [
  ...COMMANDS.filter(({ createsData }) => !createsData).flatMap(({ examples }) => examples),
  ...FURTHER,
].filter(line => !REFUSED_EARLIER.includes(line));

describe('a data folder in which no program has run', () => {
  it('is tried with every command that does not create one', () => {
    const tried = new Set(LINES.map(line => line.replace('--json ', '').split(' ')[0]));
    expect([...tried].sort()).toEqual(
      COMMANDS.filter(({ createsData }) => !createsData)
        .map(({ name }) => name)
        .sort(),
    );
  });

  it.each(LINES)('is refused by %j, which creates nothing there', async line => {
    const missing = join(folder, 'mistyped');
    const absent = await run(line, { DATA_DIR: missing });
    expect([absent.code, absent.stderr]).toEqual([
      1,
      expect.stringContaining('DATA_DIR: ' + JSON.stringify(missing)),
    ]);
    expect(existsSync(missing)).toBe(false);
    const empty = join(folder, 'empty');
    mkdirSync(empty, { recursive: true });
    expect((await run(line, { DATA_DIR: empty })).stderr).toContain('no program has ever run there');
    expect(readdirSync(empty)).toEqual([]);
  });
});

describe('where all engines are servers', () => {
  const servers = {
    EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
    KAFKA_BROKERS: '127.0.0.1:1',
    MONGODB_URL: 'mongodb://127.0.0.1:1/tidemark',
    REDIS_URL: 'redis://127.0.0.1:1',
  };
  const missing = join(folder, 'no-keys');

  it('nothing is migrated from a folder without embedded engines', async () => {
    const empty = join(folder, 'never-embedded');
    mkdirSync(empty);
    const line = 'migrate --from embedded --to distributed';
    const { code, stderr } = await run(line, { ...servers, DATA_DIR: empty });
    expect([code, stderr]).toEqual([1, expect.stringContaining('no program has ever run there')]);
    expect(readdirSync(empty)).toEqual([]);
  });

  it.each(['token', 'keys list', 'proof checkpoint', 'erase ann --yes', 'settlements list'])(
    '%j is refused without the keys that it needs, which it does not make',
    async line => {
      const { code, stderr } = await run(line, { ...servers, DATA_DIR: missing });
      expect([code, stderr]).toEqual([1, expect.stringContaining('DATA_DIR: ')]);
      expect(existsSync(missing)).toBe(false);
    },
  );
});
