import { Command, Option } from 'commander';
import { createCalendar } from '../../contracts/calendar';
import type { Position } from '../../contracts/position';
import { AsOfNotReady } from '../../projections/as-of/port';
import { replayCsv, replayJson, rowsOf } from '../../services/billing/replay';
import { openLedgerAsOf } from '../program/as-of/ledger';
import type { Config } from '../program/config';
import { asOfOption, untilPositionOption } from './moments';
import { print } from './output';
import { progressOn, type Progress } from './progress';
import { withEngines, type Toolbox } from './with-engines';
import { writeOut, type WrittenOut } from './write-out';

const FORMATS = { json: replayJson, csv: replayCsv };

interface ReplayFlags {
  readonly asOf?: string;
  readonly untilPosition?: Position;
  readonly format: keyof typeof FORMATS;
  readonly output?: string;
}

interface Replayed extends WrittenOut {
  readonly position: Position;
  readonly rows: number;
}

/** Milliseconds: the longest that a timer can be set to. */
const AS_LONG_AS_IT_TAKES = 2 ** 31 - 1;

export function replayCommand(config: () => Config): Command {
  return new Command('replay')
    .description(
      'fold the ledger anew up to a moment and write it as it stood then; the same bytes whenever it is asked for the same moment',
    )
    .addOption(asOfOption())
    .addOption(untilPositionOption())
    .addOption(
      new Option('--format <format>', 'all of it, or its rows').choices(Object.keys(FORMATS)).default('json'),
    )
    .option('--output <file>', 'default: to stdout')
    .action(async (flags: ReplayFlags, command: Command) => {
      const settings = config();
      const output = command.optsWithGlobals<{ json: boolean }>();
      const replayed = await withEngines(settings, tools => replay(settings, tools, flags, output));
      const { position, rows, bytes, sha256 } = replayed;
      if (flags.output === undefined) return;
      print(
        { output: flags.output, ...replayed },
        [`${flags.output}: ${rows} rows as of position ${position}, ${bytes} bytes, SHA-256 ${sha256}`],
        output,
      );
    });
}

async function replay(
  config: Config,
  { engines: { store }, logger, signal }: Toolbox,
  { asOf: instant, untilPosition, format, output: file }: ReplayFlags,
  output: { readonly json: boolean },
): Promise<Replayed> {
  const folding = new Map<string, Progress>();
  const writing = progressOn('writing', output);
  const asOf = await openLedgerAsOf(config, {
    store,
    patience: AS_LONG_AS_IT_TAKES,
    logger,
    signal,
    onProgress(projection, { done, total }) {
      const bar = folding.get(projection) ?? progressOn(`folding ${projection}`, output);
      folding.set(projection, bar);
      bar.at(done, total);
      if (done === total) bar.stop();
    },
  });
  try {
    const moment = {
      ...(untilPosition !== undefined && { position: untilPosition }),
      ...(instant !== undefined && { instant }),
    };
    return await asOf.read(moment, async (views, position) => {
      const ledger = { views, calendar: createCalendar(config.INSTANCE_TIME_ZONE), position };
      const parts = counted(FORMATS[format](ledger), writing, await rowsOf(ledger));
      const written = await writeOut(parts.text(), file, signal);
      return { position, rows: parts.rows(), ...written };
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof AsOfNotReady ? (error.cause ?? error) : error;
  } finally {
    for (const bar of [...folding.values(), writing]) bar.stop();
    await asOf.close();
  }
}

/** The text of the parts, each of which moves the bar once it is taken. */
function counted(parts: ReturnType<typeof replayCsv>, progress: Progress, total: number) {
  let rows = 0;
  return {
    rows: () => rows,
    async *text(): AsyncIterable<string> {
      for await (const part of parts) {
        yield part.text;
        rows += part.rows;
        progress.at(rows, total);
      }
    },
  };
}
