import { Command, CommanderError, Help, type Option } from 'commander';
import type { Config } from '../config/settings';
import { version } from '../config/version';
import type { CommandEntry } from '../program/commands/command';
import { UsageError } from '../program/commands/usage-error';
import { makersOf } from '../program/features/billing/made-by';
import { COMMAND_GROUPS } from './commands';
import { EXIT_CODES } from './exit-codes';

const EXAMPLES = `
Examples:
  tidemark start                                everything, on this machine
  tidemark status                               whether it runs and is ready
  tidemark token --role finance                 a token for the billing API
  tidemark fees import fees.ndjson              record fees from a file
  tidemark revenue --from 2026-10-01 --to 2026-10-31
  tidemark rebuild fees --verify                compare documents with events
  tidemark backup /backups/monday               while the program runs

\`tidemark help <command>\` explains a command. Settings are environment
variables (.env.example).
In a checkout, \`tidemark\` is \`npm run -s tidemark --\`.
With --json an error is one line of JSON on stderr, {"error": {"code", "detail",
"exitCode"}}: its code is that of a problem (/problems), invalid_usage,
invalid_settings or failed.
Exit codes: 0 success, 1 failure, 64 wrong usage or settings; the help of a
command names others.`;

/** @returns the exit code, unless the process ends before */
export async function runCommandLine(
  given: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const words = asOption(given);
  const isJson = words.includes('--json');
  const tidemark = new Command('tidemark')
    .usage('[--json] <command> [options]')
    .description('Backend of a TON and Solana wallet, and the billing ledger of the instance that runs it.')
    .option('--json', 'print results as JSON', false)
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'explain a command')
    .addHelpText('after', EXAMPLES)
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: MIN_WIDTH_TO_WRAP, optionDescription })
    // Failures are printed below, all in one style.
    .configureOutput({ outputError: () => undefined, ...(isJson && { writeErr: () => undefined }) });
  let faulty = tidemark;
  for (const { title, commands } of COMMAND_GROUPS)
    for (const entry of commands) {
      const command = await commandOf(entry, words, env);
      tidemark.addCommand(
        command.helpGroup(`${title}:`).hook('preAction', (_, running) => void (faulty = running)),
      );
    }
  inherit(tidemark, command => (faulty = command));

  try {
    await tidemark.parseAsync(words, { from: 'user' });
    return Number(process.exitCode ?? EXIT_CODES.ok);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_CODES.ok;
    const code = (await isUsage(error)) ? EXIT_CODES.usage : EXIT_CODES.failed;
    const isProgram = PROGRAMS.includes(named(words) ?? '') && !(error instanceof CommanderError);
    if (isProgram && env['LOG_FORMAT'] === 'json') await logFailure(error);
    else
      process.stderr.write(
        isJson ? await failureAsJson(error, faulty, code) : await describeFailure(error, faulty),
      );
    return code;
  }
}

/** That a flag is off unless it is given goes without saying. */
function optionDescription(this: Help, option: Option): string {
  return option.defaultValue === false
    ? option.description
    : Help.prototype.optionDescription.call(this, option);
}

/** Columns that descriptions are wrapped into, also beside long names. */
const MIN_WIDTH_TO_WRAP = 20;
/** Of a terminal. */
const HELP_WIDTH = 80;

/** Commands whose output is a log. */
const PROGRAMS = ['start', 'run'];

async function logFailure(error: unknown): Promise<void> {
  const [{ createLogger }, { describeError }] = await Promise.all([
    import('../config/logger.js'),
    import('../cli/describe-error.js'),
  ]);
  createLogger('fatal', 'stderr', 'json').fatal(describeError(error));
}

/** Whether another attempt would fail likewise. */
async function isUsage(error: unknown): Promise<boolean> {
  if (error instanceof CommanderError || error instanceof UsageError) return true;
  // Not loaded for help.
  const [{ CannotListen, WrongSettings }, { Problem }] = await Promise.all([
    import('../config/settings.js'),
    import('../../contracts/problem/problem.js'),
  ]);
  if (error instanceof Problem) return error.code === 'invalid_request';
  return error instanceof WrongSettings && !(error instanceof CannotListen);
}

/** The whole command when it is the one that is asked for, else what the list of commands needs of it. */
async function commandOf(
  entry: CommandEntry,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Command> {
  const { name, summary, examples, createsData } = entry;
  if (name !== named(words)) return new Command(name).summary(summary);
  let readSettings: (() => Config) | null = null;
  const config = (): Config => readSettings!();
  const make = await entry.load();
  const command = make(config).summary(summary);
  addExamples(command, examples);
  return command.hook('preAction', async (_, running) => {
    const [{ readConfig }, { assertExistingData }] = await Promise.all([
      import('../program/settings/config.js'),
      import('../program/commands/existing-data.js'),
    ]);
    readSettings = () => {
      const settings = readConfig(env);
      // A program elsewhere needs no data here.
      if (!createsData && running.getOptionValue('url') === undefined) assertExistingData(settings, entry);
      return settings;
    };
  });
}

/** To a command, and to those in it that have some. */
function addExamples(command: Command, lines: readonly string[]): void {
  if (lines.length > 0)
    command.addHelpText('after', `\nExamples:\n${lines.map(line => `${exampleOf(line)}\n`).join('')}`);
  for (const child of command.commands) {
    const path = pathOf(child);
    addExamples(
      child,
      lines.filter(line => `${line} `.replace('--json ', '').startsWith(`${path} `)),
    );
  }
}

/** A command line to copy, continued on further lines where it is long. */
function exampleOf(line: string): string {
  const lines = ['  tidemark'];
  // What is quoted stays whole.
  for (const word of line.match(/"[^"]*"|\S+/g) ?? []) {
    const longer = `${lines.at(-1)} ${word}`;
    // ` \` comes after it.
    if (longer.length + 2 <= HELP_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(`    ${word}`);
  }
  return lines.join(' \\\n');
}

/** The first word that is no option: no option of `tidemark` itself takes a value. */
function named(words: readonly string[]): string | undefined {
  return words.find(word => !word.startsWith('-'));
}

/** `help fees import` as `fees import --help`; and the help of a command that there is not as the command, which is reported. */
function asOption(words: readonly string[]): readonly string[] {
  const [first, name, ...rest] = words.filter(word => !word.startsWith('-'));
  if (first !== 'help' || name === undefined) return words;
  const isKnown = COMMAND_GROUPS.some(({ commands }) => commands.some(each => each.name === name));
  return isKnown ? [name, ...rest, '--help'] : [name];
}

/** Commands that were made elsewhere report their faults as `tidemark` itself does. */
function inherit(command: Command, onFault: (faulty: Command) => void): void {
  command.exitOverride(error => {
    onFault(command);
    throw error;
  });
  for (const child of command.commands) {
    child.copyInheritedSettings(command).addHelpCommand(hiddenHelpCommand());
    inherit(child, onFault);
  }
}

/** Such as `fees help import`, which lists need not show beside `help fees import`. */
const hiddenHelpCommand = (): Command => new Command().command('help [command]', { hidden: true });

/** The error comes last, where it is seen; before it, how the command is used when that was the fault. */
async function describeFailure(error: unknown, command: Command): Promise<string> {
  const text = `error: ${await detailOf(error, command)}\n`;
  const isOfUsage = error instanceof CommanderError && error.code !== MISSING_COMMAND;
  return isOfUsage ? `${shortHelp(command)}\n\n${text}` : text;
}

/** For programs: one object, in one line. Codes are those of problems (`/problems`), and `invalid_usage` of a wrong command line. */
async function failureAsJson(error: unknown, command: Command, exitCode: number): Promise<string> {
  const { Problem } = await import('../../contracts/problem/problem.js');
  const { WrongSettings } = await import('../config/settings.js');
  const code =
    error instanceof Problem
      ? error.code
      : error instanceof WrongSettings
        ? 'invalid_settings'
        : exitCode === EXIT_CODES.usage
          ? 'invalid_usage'
          : 'failed';
  return `${JSON.stringify({ error: { code, detail: await detailOf(error, command), exitCode } })}\n`;
}

/** Of the error of a command that was named without one of those in it: its help has been printed. */
const MISSING_COMMAND = 'commander.help';

async function detailOf(error: unknown, command: Command): Promise<string> {
  if (error instanceof CommanderError)
    return error.code === MISSING_COMMAND
      ? 'a command is missing'
      : (optionOfChild(error, command) ?? unknownCommand(error, command) ?? wordsOf(error));
  // Not loaded for help.
  const { describeError } = await import('../cli/describe-error.js');
  const text = describeError(error);
  return error instanceof UsageError ? withOptionNames(text, command) : text;
}

const wordsOf = ({ message }: CommanderError): string =>
  message.replace(/^error: /, '').replaceAll('\n', ' ');

/** Of one that is not like those that there are, and may be for what others make; null of any other error. */
function unknownCommand(error: CommanderError, command: Command): string | null {
  const makers = makersOf(command);
  if (makers === null || error.code !== 'commander.unknownCommand' || error.message.includes('(Did you mean'))
    return null;
  return `${wordsOf(error)}. ${makers.replaceAll('\n', ' ')}`;
}

/** An option that the command leaves to those below it, such as `invoices --period`; null of any other error. */
function optionOfChild({ code, message }: CommanderError, command: Command): string | null {
  const flag = /^error: unknown option '([^']+)'/.exec(message)?.[1];
  if (code !== 'commander.unknownOption' || flag === undefined) return null;
  const having = command.commands.filter(child => child.options.some(option => option.long === flag));
  if (having.length === 0) return null;
  return `${flag} is an option of ${having.map(child => `\`${pathOf(child)}\``).join(', ')}`;
}

/** Faults of input are named by field, which may be that of an option. */
function withOptionNames(faults: string, command: Command): string {
  return faults.replaceAll(
    /^\w+(?=: )/gm,
    name => command.options.find(option => option.attributeName() === name)?.long ?? name,
  );
}

function shortHelp(command: Command): string {
  const usage = `Usage: ${command.createHelp().commandUsage(command)}`;
  if (command.parent === null)
    return [
      usage,
      ...COMMAND_GROUPS.map(
        ({ title, commands }) => `  ${title}: ${commands.map(({ name }) => name).join(', ')}`,
      ),
      '`--help` describes them.',
    ].join('\n');
  const names = command.commands.map(child => child.name());
  return [
    usage,
    ...(names.length > 0 ? [`  Commands: ${names.join(', ')}`] : []),
    `\`${pathOf(command)} --help\` explains it.`,
  ].join('\n');
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
