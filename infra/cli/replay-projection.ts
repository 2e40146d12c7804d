import { canonicalJson } from '../../contracts/json/canonical-json';
import type { EventStore } from '../../contracts/ports/event-store';
import type { Position } from '../../contracts/position';
import type { Moment } from '../../projections/as-of/port';
import type { EventProjection } from '../../projections/projection';
import type { Views } from '../../projections/views';
import { readProjectionAsOf } from '../program/features/billing/as-of/projection-as-of';
import { createProgress } from '../config/progress';
import { writeOutput, type WrittenOutput } from '../program/commands/write-output';

export interface Replayed extends WrittenOutput {
  readonly position: Position;
  /** Of the ledger, or documents of the projection. */
  readonly rows: number;
}

interface Target {
  /** Default: stdout. */
  readonly file: string | undefined;
  readonly json: boolean;
}

const PAGE = 1_000;

/**
 * Writes the documents of a projection as of a moment, one a line: canonical JSON (RFC 8785) with the collection of each, in the
 * order of the collections and ids. The same bytes each time; personal text stays encrypted.
 */
export async function replayProjection(
  projection: EventProjection,
  moment: Moment,
  { store, signal }: { readonly store: EventStore; readonly signal: AbortSignal },
  { file, json }: Target,
): Promise<Replayed> {
  const folding = createProgress(`folding ${projection.name}`, { json });
  const onProgress = (_name: string, { done, total }: { readonly done: number; readonly total: number }) =>
    folding.at(done, total);
  try {
    return await readProjectionAsOf(
      projection,
      moment,
      { store, signal, onProgress },
      async (views, position) => {
        folding.complete();
        let rows = 0;
        async function* text(): AsyncIterable<string> {
          for await (const lines of documentLines(views, projection)) {
            rows += lines.length;
            yield lines.join('');
          }
        }
        const written = await writeOutput(text(), file, signal);
        return { position, rows, ...written };
      },
    );
  } finally {
    folding.stop();
  }
}

async function* documentLines(views: Views, { collections }: EventProjection): AsyncIterable<string[]> {
  for (const { name: collection } of collections)
    for await (const page of views.scan(collection, { limit: PAGE }))
      yield page.map(document => `${canonicalJson({ collection, document })}\n`);
}
