import { DESCRIBED } from '../../../contracts/problem/describe-issue';
import type { CommandMetadata } from '../../../contracts/decider';
import { feeRequest, type FeeRequest } from '../../../contracts/http/billing/fees';
import { parseJson, type MalformedJson } from '../../../contracts/json/parse-json';
import { executeFees, type FeeDeps } from './commands';
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

const BATCH_SIZE = 1_000;

/** A row has less than 2 kB. */
const MAX_LINE_BYTES = 64 * 1_024;

/**
 * Imports fees from lines of JSON. Idempotent by fee id: after an interruption, import the whole file again.
 * Resolves with the final counts; lines after the one that stopped it may have been imported with its batch.
 */
export async function importFees(
  deps: FeeDeps,
  { content, metadata, onProblem, report, signal }: FeeImport,
  onProgress: (progress: Readonly<FeeImportProgress>) => void,
): Promise<FeeImportProgress> {
  const progress: FeeImportProgress = { lines: 0, recorded: 0, unchanged: 0, refused: 0, malformed: 0 };
  let batch: { readonly line: number; readonly request: FeeRequest }[] = [];

  const importBatch = async (): Promise<void> => {
    const { results } = await executeFees(
      deps,
      batch.map(({ request }) => request),
      metadata(),
    );
    results.forEach(({ id, result, problem }, index) => {
      progress[result]++;
      if (problem) report(batch[index]!.line, `fee ${id}: ${problem.detail}`);
    });
    batch = [];
    onProgress(progress);
  };
  const stopped = (): boolean =>
    signal.aborted || (onProblem === 'stop' && progress.malformed + progress.refused > 0);

  for await (const line of linesIn(content, MAX_LINE_BYTES)) {
    if (stopped()) break;
    progress.lines++;
    if (line && isBlank(line)) continue;
    const parsed = line ? parse(line) : `longer than ${MAX_LINE_BYTES} bytes`;
    if (typeof parsed === 'string') {
      progress.malformed++;
      report(progress.lines, parsed);
    } else {
      batch.push({ line: progress.lines, request: parsed });
      if (batch.length === BATCH_SIZE) await importBatch();
    }
  }
  if (batch.length > 0 && !signal.aborted) await importBatch();
  return progress;
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
