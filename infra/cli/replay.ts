import type { Config } from '../config/settings';
import { Command, Option } from 'commander';
import { createCalendar } from '../../contracts/time/calendar';
import type { Position } from '../../contracts/position';
import { counted } from '../../contracts/text/counted';
import { AsOfNotReady, type Moment } from '../../projections/as-of/port';
import { isLogProjection, type EventProjection } from '../../projections/projection';
import { replayCsv, replayJson, rowsOf } from '../../services/billing/export/replay';
import { openLedgerAsOf } from '../program/features/billing/as-of/ledger';
import { PROJECTIONS } from '../program/features';
import { asOfOption, untilPositionOption } from '../program/features/billing/as-of-options';
import { print } from '../program/commands/output';
import { createProgress, type Progress } from '../config/progress';
import { replayProjection, type Replayed } from './replay-projection';
import { withEngines, type Tools } from '../program/commands/with-engines';
import { describeWritten, outputOption, writeOutput } from '../program/commands/write-output';

const FORMATS = { json: replayJson, csv: replayCsv };

interface ReplayFlags {
  readonly asOf?: string;
  readonly untilPosition?: Position;
  readonly format: keyof typeof FORMATS;
  readonly projection?: string;
  readonly output?: string;
}

const EVENT_PROJECTIONS = PROJECTIONS.filter(
  (projection): projection is EventProjection => !isLogProjection(projection),
);

/** The maximum delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function replayCommand(config: () => Config): Command {
  return new Command('replay')
    .description(
      'compute the ledger, or another projection, up to a moment and write its state; the same moment always gives the same bytes',
    )
    .addOption(asOfOption())
    .addOption(untilPositionOption())
    .addOption(
      new Option('--format <format>', 'all state, or only its rows')
        .choices(Object.keys(FORMATS))
        .default('json'),
    )
    .addOption(
      new Option(
        '--projection <name>',
        'instead of the ledger: the documents of this projection, one per line',
      )
        .choices(EVENT_PROJECTIONS.map(({ name }) => name))
        .conflicts('format'),
    )
    .addOption(outputOption())
    .action(async (flags: ReplayFlags, command: Command) => {
      const settings = config();
      const output = command.optsWithGlobals<{ json: boolean }>();
      const projection = EVENT_PROJECTIONS.find(({ name }) => name === flags.projection);
      const replayed = await withEngines(settings, tools =>
        projection
          ? replayProjection(projection, momentOf(flags), inputOf(tools), { file: flags.output, ...output })
          : replay(settings, tools, flags, output),
      );
      const { position, rows } = replayed;
      if (flags.output === undefined) return;
      print(
        { output: flags.output, ...replayed },
        [`${flags.output}: ${counted(rows, 'row')} as of position ${position}, ${describeWritten(replayed)}`],
        command,
      );
    });
}

const inputOf = ({ engines: { store }, signal }: Tools) => ({ store, signal });

function momentOf({ asOf, untilPosition }: ReplayFlags): Moment {
  return {
    ...(untilPosition !== undefined && { position: untilPosition }),
    ...(asOf !== undefined && { instant: asOf }),
  };
}

async function replay(
  config: Config,
  { engines: { store }, logger, signal }: Tools,
  flags: ReplayFlags,
  output: { readonly json: boolean },
): Promise<Replayed> {
  const folding = new Map<string, Progress>();
  const writing = createProgress('writing', output);
  const asOf = await openLedgerAsOf(config, {
    store,
    timeoutMs: MAX_TIMER_MS,
    logger,
    signal,
    onProgress(projection, { done, total }) {
      const bar = folding.get(projection) ?? createProgress(`folding ${projection}`, output);
      folding.set(projection, bar);
      bar.at(done, total);
      if (done === total) bar.complete();
    },
  });
  try {
    return await asOf.read(momentOf(flags), async (views, position) => {
      const ledger = { views, calendar: createCalendar(config.INSTANCE_TIME_ZONE), position };
      const parts = withRowCount(FORMATS[flags.format](ledger), writing, await rowsOf(ledger));
      const written = await writeOutput(parts.text(), flags.output, signal);
      writing.complete();
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

/** The text of the parts; the progress bar moves as each is consumed. */
function withRowCount(parts: ReturnType<typeof replayCsv>, progress: Progress, total: number) {
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
