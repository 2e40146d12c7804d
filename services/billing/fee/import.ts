import type { CommandMetadata } from '../../../contracts/decider';
import { feeRequest, type FeeRequest } from '../../../contracts/http/billing-fees';
import { executeFees, type FeeDeps } from './commands';

export interface FeeImport {
  /** NDJSON, a row of `POST /api/fees` each. Empty lines are skipped. */
  readonly lines: AsyncIterable<string>;
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

/**
 * Imports fees from lines of JSON. Idempotent by fee id: after an interruption, import the whole file again.
 * Resolves with the final counts; lines after the one that stopped it may have been imported with its batch.
 */
export async function importFees(
  deps: FeeDeps,
  { lines, metadata, onProblem, report, signal }: FeeImport,
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

  for await (const text of lines) {
    if (stopped()) break;
    progress.lines++;
    if (text.trim() === '') continue;
    const parsed = parse(text);
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

/** The row, or the reason why it is malformed. */
function parse(line: string): FeeRequest | string {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return 'not JSON';
  }
  const row = feeRequest.safeParse(json);
  if (row.success) return row.data;
  return row.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`).join('; ');
}
