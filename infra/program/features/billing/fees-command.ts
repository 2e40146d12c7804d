import { open } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { z } from 'zod';
import { createCalendar } from '../../../../contracts/time/calendar';
import { collectionStatus, feeRowId } from '../../../../contracts/http/billing/fields';
import type { FeeRow } from '../../../../contracts/http/billing/responses';
import { counted } from '../../../../contracts/text/counted';
import { getFeeHistory } from '../../../../services/billing/fee/history';
import { inWords } from '../../../../services/billing/audit-subject';
import { importFees, type FeeImportResult } from '../../../../services/billing/fee/import';
import type { ImportWarning } from '../../../../services/billing/fee/import-warnings';
import { createHandle } from '../../../../services/commands/handle';
import { cannotRead } from '../../../config/file-error';
import type { Config } from '../../../config/settings';
import {
  billingReport,
  dayOption,
  paged,
  pageLines,
  pageOf,
  periodOption,
  type PageFlags,
} from './billing-report';
import { merchantOption } from './given-merchant';
import { asOperator, type Operator } from '../../commands/operator';
import { print, table } from '../../commands/output';
import { parseInput } from '../../commands/parse-input';
import { withProgress } from '../../../config/progress';
import { withEngines, type Tools } from '../../commands/with-engines';

export function feesCommand(config: () => Config): Command {
  return new Command('fees')
    .description('the fee ledger')
    .addCommand(importCommand(config))
    .addCommand(listCommand(config))
    .addCommand(showCommand(config));
}

interface ListFlags extends PageFlags {
  readonly from?: string;
  readonly to?: string;
  readonly period?: string;
  readonly status?: string;
  readonly merchant?: string;
  readonly type?: string;
}

const listCommand = (config: () => Config): Command =>
  paged(
    new Command('list')
      .description('list fees, newest first, as list_fee_ledger of the API does')
      .addOption(dayOption('--from <day>', 'first day, in the time zone of the instance'))
      .addOption(dayOption('--to <day>', 'last day'))
      .addOption(periodOption('only of this billing period'))
      .addOption(new Option('--status <status>', 'only of one status').choices(collectionStatus.options))
      .addOption(merchantOption())
      .option('--type <type>', 'only those of one type'),
  ).action(async (flags: ListFlags, command: Command) => {
    const fees = await billingReport(config(), 'list_fee_ledger', {
      dateFrom: flags.from,
      dateTo: flags.to,
      billingPeriod: flags.period,
      status: flags.status,
      merchant: flags.merchant,
      feeType: flags.type,
      ...pageOf(flags),
    });
    print(fees, pageLines(fees, rows(fees.rows), 'fee'), command);
  });

const showCommand = (config: () => Config): Command =>
  new Command('show')
    .description('show a fee and its history')
    .argument('<id>', 'of a fee, or of the adjustment that reverses it')
    .action(async (text: string, _flags: object, command: Command) => {
      const { id } = parseInput(z.object({ id: feeRowId }), { id: text });
      const settings = config();
      const fee = await withEngines(settings, ({ engines: { store } }) =>
        getFeeHistory({ store, instanceId: settings.INSTANCE_ID }, id),
      );
      const history = fee.history.map(({ at, event, by, position }) => [
        at,
        event,
        by ?? '',
        String(position),
      ]);
      print(
        fee,
        [
          ...rows(fee.rows),
          '',
          `invoice: ${fee.invoiceId ?? 'none'}`,
          '',
          ...table([['AT', 'EVENT', 'BY', 'POSITION'], ...history]),
        ],
        command,
      );
    });

const rows = (fees: readonly FeeRow[]): string[] =>
  table([
    ['FEE', 'TYPE', 'STATUS', 'FEE AMOUNT', 'GROSS', 'PERIOD', 'MERCHANT', 'SLUG', 'CREATED'],
    ...fees.map(fee => [
      fee.id,
      fee.fee_type,
      fee.collection_status,
      fee.fee_amount,
      fee.gross_amount,
      fee.billing_period,
      fee.merchant_id,
      fee.merchant_slug,
      fee.created_at,
    ]),
  ]);

interface ImportFlags {
  readonly keepGoing: boolean;
}

interface Input {
  readonly content: AsyncIterable<Buffer>;
  /** In bytes, 0 where it is not known. */
  readonly size: number;
}

/** @throws Error that names the file */
async function openInput(file: string): Promise<Input> {
  if (file === '-') return { content: process.stdin, size: 0 };
  const source = await open(file).catch((error: unknown) => {
    throw cannotRead(file, error);
  });
  const stats = await source.stat();
  if (!stats.isDirectory()) return { content: source.createReadStream(), size: stats.size };
  await source.close();
  throw new Error(`${file}: it is a folder`);
}

const importCommand = (config: () => Config): Command =>
  new Command('import')
    .description('record fees from a file of JSON lines, each as POST /api/fees takes it; safe to repeat')
    .argument('<file>', '- reads the standard input')
    .option('--keep-going', 'continue after a line that is invalid or refused', false)
    .action(async (file: string, { keepGoing }: ImportFlags, command: Command) => {
      const settings = config();
      const output = command.optsWithGlobals<{ json: boolean }>();
      const name = file === '-' ? 'standard input' : file;
      const { content, size } = await openInput(file);
      const importing = async ({ engines, signal }: Tools, operator: Operator): Promise<FeeImportResult> => {
        let bytes = 0;
        const imported = await withProgress(name, output, progress =>
          importFees(
            {
              store: engines.store,
              handle: createHandle({ store: engines.store }),
              instanceId: settings.INSTANCE_ID,
              calendar: createCalendar(settings.INSTANCE_TIME_ZONE),
            },
            {
              content: withByteCount(content, read => (bytes += read)),
              metadata: () => operator.metadata(),
              onProblem: keepGoing ? 'continue' : 'stop',
              report: (line, problem) => process.stderr.write(`${name}:${line}: ${problem}\n`),
              signal,
            },
            soFar => {
              operator.addSubject(inWords({ ...soFar }));
              if (size > 0) progress.at(bytes, size);
            },
          ),
        );
        const { warnings: _, isWhole: __, ...counts } = imported;
        operator.addSubject(inWords(counts));
        return imported;
      };
      const imported = await asOperator(settings, command, {}, importing, { isRefused: didNothing });
      const { lines, recorded, unchanged, refused, malformed, warnings, isWhole } = imported;
      print(
        imported,
        [
          `${counted(lines, 'line')}: ${recorded} recorded, ${unchanged} unchanged, ${refused} refused, ${malformed} malformed`,
          ...(isWhole
            ? []
            : [`stopped after line ${lines}: the rest of the file was not read (--keep-going reads it)`]),
          ...warnings.map(warningLine),
        ],
        command,
      );
      if (refused + malformed > 0) process.exitCode = 1;
    });

const didNothing = ({ recorded, unchanged, refused, malformed }: FeeImportResult): boolean =>
  recorded + unchanged === 0 && refused + malformed > 0;

/** Such as `warning: 2 fees are dated in the future: lines 3, 4`. */
function warningLine({ warning, rows, lines }: ImportWarning): string {
  const are = rows === 1 ? 'is' : 'are';
  const more = rows > lines.length ? ` and ${rows - lines.length} more` : '';
  return `warning: ${counted(rows, 'fee')} ${are} ${WARNINGS[warning]}: ${rows === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`;
}

const WARNINGS: Readonly<Record<ImportWarning['warning'], string>> = {
  dated_in_the_future: 'dated in the future',
  fee_exceeds_gross: 'larger than the gross amount',
};

async function* withByteCount(
  chunks: AsyncIterable<Buffer>,
  read: (bytes: number) => void,
): AsyncIterable<Buffer> {
  for await (const chunk of chunks) {
    read(chunk.length);
    yield chunk;
  }
}
