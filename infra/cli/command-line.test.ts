import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { PRICES_TOPIC } from '../../contracts/chain/prices';
import { temporaryFolder } from '../../test/temporary-folder';
import { runCommandLine } from './command-line';
import type { CommandEntry, MakeCommand } from '../program/commands/command';
import { FEATURES } from '../program/features';
import { openLedgerKeysFile } from '../program/features/ledger-tree/ledger-tree';
import { masterKey } from '../program/personal-texts';
import { COMMAND_GROUPS, COMMANDS } from './commands';
import { openEmbeddedEngines } from '../engines/engines';
import { OWN_COMMANDS } from './own-commands';
import { readConfig } from '../program/settings/config';
import { withEngines } from '../program/commands/with-engines';

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

/** Lines of the help of a command, each after its name. */
async function helpLines(path: string): Promise<string[]> {
  const { stdout } = await run(`${path} --help`);
  return stdout.split('\n').map(line => `${path}: ${line}`);
}

/** Of a command and all commands in it, such as `fees list`. */
const pathsOf = (command: Command, path: string): string[] => [
  path,
  ...command.commands.flatMap(child => pathsOf(child, `${path} ${child.name()}`)),
];

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
      // A long one is continued on further lines.
      expect(stdout.replaceAll(' \\\n   ', '')).toContain(`\n  tidemark ${example}\n`);
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

  it.each([
    ['fees help', 'help fees'],
    ['fees help import', 'help fees import'],
    ['rebates rule help set', 'help rebates rule set'],
  ])('of %j is that of %j', async (line, usual) => {
    expect(await run(line)).toEqual(await run(usual));
  });

  it.each([
    ['invoices', 'void_invoice'],
    ['settlements', 'mark_settlement_paid'],
  ])('of %s says where people make them', async (name, action) => {
    expect((await run(`help ${name}`)).stdout).toMatch(
      new RegExp(`/console[^]*POST /api/instance-admin[^]*${action}`),
    );
  });

  it.each(['status --help', 'help fees', 'fees list --help', 'rebates rule set --help'])(
    'of %j has the options of every command',
    async line => {
      expect((await run(line)).stdout).toMatch(/\nGlobal Options:\n +--json +print results as JSON/);
    },
  );

  it('of no command is wider than a terminal', async () => {
    const lines = [...(await helpLines(''))];
    for (const { load, name } of COMMANDS)
      for (const path of pathsOf(
        (await load())(() => ({}) as never),
        name,
      ))
        lines.push(...(await helpLines(path)));
    expect(lines.length).toBeGreaterThan(1_000);
    expect(lines.filter(line => line.split(': ').slice(1).join(': ').length > 80)).toEqual([]);
  });

  it('--version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

/** A data folder in which a program has run, and nothing was recorded. */
const used = join(folder, 'used');
beforeAll(async () => {
  const config = readConfig({ DATA_DIR: used, LOG_LEVEL: 'fatal' });
  await withEngines(config, ({ engines }) => engines.log.declare([PRICES_TOPIC]));
  await masterKey(config);
  await openLedgerKeysFile(config);
});

describe('where there is nothing', () => {
  const ANOTHER = 'UQAHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHB5-k';
  const LISTS: Readonly<Record<string, string>> = {
    'fees list': 'fees',
    revenue: 'fees',
    'invoices list': 'invoices',
    'settlements list': 'settlements',
    'merchants list':
      'merchants named with `tidemark merchants set`; those with fees are shown by `tidemark revenue`',
    audit: 'actions',
    'anchor list': 'anchors',
    erasures: 'erasures',
    'config history app mainnet': 'versions',
    'tokens list': 'tokens',
    rates: 'prices',
    'warnings list': 'warnings',
    'service-addresses list': 'addresses',
    'banners explain browser': 'banners',
    'apps verified': 'applications',
    'apps reviews https://app.example.com': 'reviews',
    'apps reports': 'complaints',
    'exchange list': 'orders',
    'push outbox': 'notifications',
    [`push devices --address ${ANOTHER}`]: 'devices',
    'client-errors list': 'errors',
    'dead-letters list': 'dead letters',
    'dead-letters replay': 'dead letters of TON',
    'rebates rule show': 'rebate rule',
  };

  it('every command that lists something is tried', async () => {
    const paths: string[] = [];
    for (const { load, name } of COMMANDS)
      paths.push(
        ...pathsOf(
          (await load())(() => ({}) as never),
          name,
        ),
      );
    const tried = Object.keys(LISTS).join('\n');
    // Those that have something from the start.
    const others = ['keys list', 'domains list', 'gasless tokens list'];
    expect(paths.filter(path => / list$/.test(path) && !tried.includes(path))).toEqual(others);
  });

  it.each(Object.entries(LISTS))('%j says that there are no %s', async (line, things) => {
    expect(await run(line, { DATA_DIR: used })).toEqual({
      code: 0,
      stdout: `no ${things}\n`,
      stderr: '',
      lastLine: '',
    });
  });

  const ID = '6f2c1d8e-8f3b-4c55-9d0a-0d6a0c1f2b3e';
  it.each([
    'fees show nothing',
    `invoices show ${ID}`,
    `settlements show ${ID}`,
    `settlements void ${ID} --reason mistaken`,
    'proof merchant nobody',
    'anchor export',
    'erase nobody --yes',
    'config rollback app mainnet 9',
    'config show app mainnet 9',
    'banners retire browser nothing',
    `apps moderate hide https://app.example.com ${ANOTHER}`,
    `apps moderate dismiss ${'0'.repeat(32)}`,
    `exchange show ${ID}`,
    `exchange resolve ${ID}`,
    `push retire ${'0'.repeat(32)}`,
    `card freeze ${ID}`,
    `card limits ${ID}`,
    `card user show ${ID.replace('-4', '-5')}`,
    `client-errors erase ${'x'.repeat(24)} --yes`,
  ])('%j is refused in one line, with 1', async line => {
    const { code, stdout, stderr } = await run(line, { DATA_DIR: used });
    expect([code, stdout]).toEqual([1, '']);
    // A code in parentheses where the API has one.
    expect(stderr).toMatch(/^error: ([a-z]|[^ ]+: )[^\n]*[^.\n]\n$/);
  });
});

it.each([
  ['fees import', 'fees import fees.ndjson', 'standard input'],
  ['rebates rule set', 'rebates rule set --tier 0:0.02 1000:0.05', '- reads the standard input'],
])('the help of %j has an example, and says what - is', async (path, example, words) => {
  const { stdout } = await run(`${path} --help`);
  expect(stdout).toContain(`\nExamples:\n`);
  expect(stdout).toContain(`\n  tidemark ${example}`);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(words);
});

it.each(['export', 'replay', 'proof merchant', 'proof checkpoint', 'anchor export'])(
  'what %j writes may go to a file',
  async path => {
    expect((await run(`${path} --help`)).stdout).toMatch(/\n +--output <file> +default: to stdout\n/);
  },
);

describe('a program elsewhere', () => {
  const missing = join(folder, 'not-here');

  it.each(['status', 'staking explain EQCkR1cGmnsE45N4K0otPl5EnxnRakmGqeJUNua5fkWhales'])(
    'is asked by %j without a data folder',
    async line => {
      const { code, stdout, stderr } = await run(`${line} --url http://127.0.0.1:1`, { DATA_DIR: missing });
      expect([code, stdout + stderr]).toEqual([
        1,
        expect.stringMatching(/^(error: )?no \w+ answers at http:\/\/127\.0\.0\.1:1: [^\n]*\n$/),
      ]);
      expect(existsSync(missing)).toBe(false);
    },
  );

  it('is shown without what is stored here', async () => {
    const { stdout } = await run('status --url http://127.0.0.1:1 --json', { DATA_DIR: used });
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['program', 'off']);
    const off = { TON_RPC_URL_MAINNET: 'off', DATA_DIR: used };
    expect((await run('status --url http://127.0.0.1:1', off)).stdout).not.toContain('off: ');
  });
});

describe('a wrong command line', () => {
  it.each([
    ['nosuch', "error: unknown command 'nosuch'"],
    ['statsu', "error: unknown command 'statsu' (Did you mean status?)"],
    ['fees nosuch', "error: unknown command 'nosuch'"],
    ['invoices shw', "error: unknown command 'shw' (Did you mean show?)"],
    ['invoices generate', /^error: unknown command 'generate'.* in the console \(\/console\), or by POST/],
    ['settlements generate --period 2026-10', /generate_settlement or mark_settlement_paid\.$/],
    ['invoices --period 2026-10', 'error: --period is an option of `tidemark invoices list`'],
    ['replay --as-of 2020', /a position is for --until-position\.$/],
    ['', 'error: a command is missing'],
    ['fees', 'error: a command is missing'],
    ['fees import', "error: missing required argument 'file'"],
    ['status --nosuch', "error: unknown option '--nosuch'"],
    ['token --ttl 0', /^error: option '--ttl <seconds>' argument '0' is invalid/],
    ['status --url 10.0.0.7', /^error: option '--url <url>' argument '10.0.0.7' is invalid. An http/],
    ['token --role platform_admin', /^error: --role platform_admin: the instance cannot/],
    ['rebates rule set --tier 1000', 'error: --tier 1000: must be <from>:<rate>, such as 1000:0.05'],
    ['rebates rule set --tier 1000:2', /^error: --tier 1000:2: rate: must be a decimal from 0 to 1/],
    ['client-errors erase', 'error: name the errors, or use --all'],
    ['client-errors erase --all', 'error: this cannot be undone; use --yes to erase them'],
    ['push devices --limit 0', 'error: --limit: must be at least 1'],
    ['tokens set UQAHBw none', /^error: master: must be a TON address/],
    ['migrate --from embedded --to distributed', /KAFKA_BROKERS.*: must be set: they name the servers/],
    ['migrate --from embedded --to embedded', 'error: --from and --to are both embedded'],
    ['rebuild', 'error: name a projection, or use --all'],
    ['rebuild nope', 'error: there is no projection nope; tidemark rebuild --help lists them'],
    ['rebuild fees --all', 'error: fees and --all exclude each other'],
    ['erase ann', /^error: this cannot be undone/],
    ['settlements void 1 --reason double', /^error: id: /],
  ])('%j ends with 64 and the error in the last line', async (line, error) => {
    const { code, stdout, lastLine } = await run(line, { DATA_DIR: used });
    expect([code, stdout]).toEqual([64, '']);
    expect(lastLine).toMatch(error);
  });

  it('shows at most ten lines of help before an unknown command', async () => {
    const { stderr } = await run('nosuch');
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(11);
    for (const { name } of COMMANDS) expect(stderr).toContain(name);
  });
});

describe('with --json', () => {
  it.each([
    ['fees nosuch', 64, 'invalid_usage', "unknown command 'nosuch'"],
    ['', 64, 'invalid_usage', 'a command is missing'],
    ['erase ann', 64, 'invalid_usage', /^this cannot be undone/],
    ['fees show nothing', 1, 'fee_not_found', /nothing/],
    ['rebuild nope', 64, 'invalid_usage', /^there is no projection nope/],
    ['demo', 1, 'failed', /^no tidemark runs on /],
  ])('the error of %j is one object', async (line, exitCode, code, detail) => {
    const failed = await run(`--json ${line}`, { DATA_DIR: used });
    expect(failed).toMatchObject({ code: exitCode, stdout: '' });
    expect(failed.stderr).toBe(`${failed.lastLine}\n`);
    expect(JSON.parse(failed.stderr)).toEqual({
      error: { code, detail: expect.stringMatching(detail) as string, exitCode },
    });
  });

  it('that of settings has all faults', async () => {
    const { code, stderr } = await run('revenue --json', { PORT: 'many', HSOT: 'x' });
    expect([code, JSON.parse(stderr)]).toMatchObject([64, { error: { code: 'invalid_settings' } }]);
    expect(stderr).toMatch(/PORT=.*HSOT|HSOT.*PORT=/);
  });

  it('is said in the help', async () => {
    expect((await run('--help')).stdout).toContain('With --json an error is one line of JSON on stderr');
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
/** Asks a program that needs no data folder here. */
const ELSEWHERE = ['status --url http://10.0.0.7:3000'];
const FURTHER = [
  ...['token', 'rebuild --all', 'replay', 'fees list', 'revenue', 'audit', 'export', 'proof checkpoint'],
  ...['config history app mainnet', 'domains list', 'apps verified', 'push devices'],
];

/** Lines of every command that runs on existing data, which get past the check of their arguments. */
const LINES = [
  ...COMMANDS.filter(({ createsData }) => !createsData).flatMap(({ examples }) => examples),
  ...FURTHER,
].filter(line => ![...REFUSED_EARLIER, ...ELSEWHERE].includes(line));

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
    const named = `DATA_DIR: ${JSON.stringify(missing)}`;
    const words = line.startsWith('--json ') ? JSON.stringify(named).slice(1, -1) : named;
    expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining(words)]);
    expect(existsSync(missing)).toBe(false);
    const empty = join(folder, 'empty');
    mkdirSync(empty, { recursive: true });
    expect((await run(line, { DATA_DIR: empty })).stderr).toContain('no program has ever run there');
    expect(readdirSync(empty)).toEqual([]);
  });
});

it('the status of a program that was stopped while it first started is shown', async () => {
  const begun = join(folder, 'begun');
  mkdirSync(begun);
  await openEmbeddedEngines({ DATA_DIR: begun }).close();
  const { code, stdout } = await run('status --json', { DATA_DIR: begun });
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { program: { running: false }, deadLetters: 0 }]);
});

describe('a copy of the databases without their keys', () => {
  const copy = join(folder, 'copied');
  beforeAll(async () => {
    mkdirSync(copy);
    await openEmbeddedEngines({ DATA_DIR: copy }).close();
  });

  it.each([
    ['verify', 'keys/ledger.json'],
    ['proof checkpoint', 'keys/ledger.json'],
    ['fees list', 'keys/erasure'],
    ['audit', 'keys/erasure'],
    ['keys list', 'keys'],
    ['token', 'keys'],
  ])('is refused by %j, which says that %s is missing and makes none', async (line, lacking) => {
    const before = readdirSync(copy);
    const { code, stderr } = await run(line, { DATA_DIR: copy });
    expect([code, stderr]).toEqual([1, expect.stringMatching(`: ${lacking} is missing there\\. .*backup`)]);
    expect(readdirSync(copy)).toEqual(before);
  });

  it('lists no keys that it would have to make', async () => {
    mkdirSync(join(copy, 'keys'));
    const { code, stderr } = await run('keys list', { DATA_DIR: copy });
    expect([code, stderr]).toEqual([1, expect.stringContaining('ledger.json: there is no such file')]);
    expect(readdirSync(join(copy, 'keys'))).toEqual([]);
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
