import { setImmediate as turn } from 'node:timers/promises';
import { DESCRIBED } from '../../../contracts/problem/describe-issue';
import type { CommandMetadata } from '../../../contracts/decider';
import { feeRequest, type FeeRequest } from '../../../contracts/http/billing/fees';
import { parseJson, type MalformedJson } from '../../../contracts/json/parse-json';
import { executeFees, type FeeDeps } from './commands';
import { ImportWarnings, type ImportWarning } from './import-warnings';
import { linesIn } from './lines';

export interface FeeImport {
  /** NDJSON in UTF-8, a row of `POST /api/fees` each; with or without a byte order mark. Empty lines are skipped. */
  readonly content: AsyncIterable<Buffer>;
  readonly metadata: () => CommandMetadata;
  /** Whether to stop at the first malformed or refused line. */
  readonly onProblem: 'stop' | 'continue';
  /** Called for each malformed or refused line, counted from 1. */
  readonly report: (line: number, problem: string) => void;
  readonly signal: AbortSignal;
}

export interface FeeImportProgress {
  lines: number;
  recorded: number;
  unchanged: number;
  refused: number;
  /** Lines that are not JSON or not a row. */
  malformed: number;
}

export interface FeeImportResult extends FeeImportProgress {
  /** Of rows that were not refused. */
  readonly warnings: readonly ImportWarning[];
  /** Whether all lines were read. */
  readonly isWhole: boolean;
}

const BATCH_SIZE = 1_000;

/** Rows that are read in a turn of the event loop: in each turn a remote event store is sent one append of the batch before them. */
const ROWS_PER_TURN = 4;

/** A line that is a row, or the reason why it is malformed. */
interface Row {
  readonly line: number;
  readonly parsed: FeeRequest | string;
}

/** A row has less than 2 kB. */
const MAX_LINE_BYTES = 64 * 1_024;

/**
 * Imports fees from lines of JSON. Idempotent by fee id: after an interruption, import the whole file again.
 * Resolves with the final counts; lines after the one that stopped it may have been imported with its batch.
 * While the event store takes a batch, the next one is read.
 */
export async function importFees(
  deps: FeeDeps,
  { content, metadata, onProblem, report, signal }: FeeImport,
  onProgress: (progress: Readonly<FeeImportProgress>) => void,
): Promise<FeeImportResult> {
  const warnings = new ImportWarnings();
  const progress: FeeImportProgress = { lines: 0, recorded: 0, unchanged: 0, refused: 0, malformed: 0 };
  let rows: Row[] = [];
  let importing: Promise<void> = Promise.resolve();

  let isMalformed = false;
  let isWhole = true;

  const importBatch = async (batch: readonly Row[]): Promise<void> => {
    const given = metadata();
    const { results } = await executeFees(
      deps,
      batch.flatMap(({ parsed }) => (typeof parsed === 'string' ? [] : [parsed])),
      given,
    );
    const answers = results.values();
    for (const { line, parsed } of batch) {
      if (typeof parsed === 'string') {
        progress.malformed++;
        report(line, parsed);
        continue;
      }
      const { id, result, problem } = answers.next().value!;
      progress[result]++;
      if (problem) report(line, `fee ${id}: ${problem.detail}`);
      else warnings.add(line, parsed, given.now);
    }
    onProgress(progress);
  };
  /** Once the batch before them is recorded: rows of one fee and names of merchants have an order. */
  const importRows = async (): Promise<void> => {
    await importing;
    const isStopped = signal.aborted || (onProblem === 'stop' && progress.refused > 0);
    if (isStopped || rows.length === 0) return;
    importing = importBatch(rows);
    // It is awaited before the next one.
    importing.catch(() => undefined);
    rows = [];
  };
  const stopped = (): boolean =>
    signal.aborted || (onProblem === 'stop' && (isMalformed || progress.refused > 0));

  for await (const line of linesIn(content, MAX_LINE_BYTES)) {
    if (stopped()) {
      isWhole = false;
      break;
    }
    progress.lines++;
    if (line && isBlank(line)) continue;
    const parsed = line ? parse(line) : `longer than ${MAX_LINE_BYTES} bytes`;
    isMalformed ||= typeof parsed === 'string';
    rows.push({ line: progress.lines, parsed });
    if (rows.length === BATCH_SIZE) await importRows();
    if (rows.length % ROWS_PER_TURN === 0) await turn();
  }
  await importRows();
  await importing;
  return { ...progress, warnings: warnings.all(), isWhole };
}

const isBlank = (line: Buffer): boolean =>
  line.every(byte => byte === 0x20 || byte === 0x0d || byte === 0x09);

/** The row, or the reason why it is malformed. */
function parse(line: Buffer): FeeRequest | string {
  let json: unknown;
  try {
    json = parseJson(line);
  } catch (error) {
    return (error as MalformedJson).message;
  }
  const row = feeRequest.safeParse(json, DESCRIBED);
  if (row.success) return row.data;
  return row.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`).join('; ');
}
