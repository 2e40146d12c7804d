import { LEDGER_CATEGORIES } from '../../../contracts/events/ledger';
import type { ReportAction } from '../../../contracts/http/billing/access';
import type { ReportRequest } from '../../../contracts/http/billing/actions';
import type { Json, JsonObject } from '../../../contracts/json/json';
import { readJson } from '../../../contracts/json/read-json';
import { BEGINNING, formatPosition, type Position } from '../../../contracts/position';
import { Problem } from '../../../contracts/problem/problem';
import { formatLedgerHead, type ReportProof } from '../../../contracts/ledger-tree/report-proof';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { AsOf } from '../../../projections/as-of/port';
import type { Views } from '../../../projections/views';
import { Reply } from '../../http/call';
import { LedgerTreeBehind, type Prover } from '../../ledger-tree/prover';
import { readAsOf } from './as-of';
import { sourcesOf } from './reports';

interface ProvenDeps {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly views: Pick<Views, 'isOutdated'>;
  readonly asOf: AsOf;
  readonly prover: Prover;
  readonly now: () => string;
}

/** An answer, and the openings of the personal texts in it. */
interface Read<Answer> {
  readonly answer: Answer;
  readonly openings: Readonly<Record<string, string>>;
}

/** How a report is read: from the current ledger, once it includes the position, or as of a position. */
export interface Reading<Answer> {
  now(position: Position): Promise<Read<Answer>>;
  past(views: Views, position: Position): Promise<Read<Answer>>;
}

export type Proven<Answer> = Answer & { readonly proof: ReportProof };

/**
 * An answer that is exactly the state at one position, with the proof of it.
 * @param moment that it is requested as of
 * @throws Problem 503 `not_ready` when the ledger tree does not include the position in time
 */
export async function proveReport<Answer extends object>(
  deps: ProvenDeps,
  request: ReportRequest,
  moment: string | number | undefined,
  reading: Reading<Answer>,
): Promise<Reply<Proven<Answer>>> {
  const { answer, openings, position } = await stateOf(deps, request.action, moment, reading);
  const { proof: _, ...query } = request;
  const body = readJson(JSON.stringify(answer)) as Json;
  const proof = await deps.prover
    .prove({ query: query as JsonObject, body, position, openings })
    .catch((error: unknown) => {
      throw error instanceof LedgerTreeBehind ? notReady(error.message) : error;
    });
  return new Reply(
    { ...answer, proof },
    {
      'X-Ledger-Position': formatPosition(position),
      'X-Ledger-Head': formatLedgerHead(proof.position, proof.head),
    },
  );
}

interface State<Answer> extends Read<Answer> {
  readonly position: Position;
}

/** Attempts to read an unchanging ledger before it is read as of a position, which folds it separately. */
const MAX_READS = 3;

async function stateOf<Answer>(
  { store, views, asOf, now }: ProvenDeps,
  action: ReportAction,
  requested: string | number | undefined,
  { now: read, past }: Reading<Answer>,
): Promise<State<Answer>> {
  const readPast = async (moment: string | number): Promise<State<Answer>> => {
    const reply = readAsOf(asOf, moment, now(), async (views, position) => ({
      ...(await past(views, position)),
      position,
    }));
    return (await reply).body;
  };
  if (requested !== undefined) return readPast(requested);

  let position = await lastOfLedger(store);
  // A proof names the versions of this program's projections; as of a position the events are folded by them.
  if (await views.isOutdated(sourcesOf(action))) return readPast(position);
  for (let reads = 0; reads < MAX_READS; reads++) {
    // The answer includes the position; it includes nothing later if the last position is still the same.
    const answered = await read(position);
    const since = await lastOfLedger(store);
    if (since === position) return { ...answered, position };
    position = since;
  }
  return readPast(position);
}

async function lastOfLedger(store: Pick<EventStore, 'readAll'>): Promise<Position> {
  const newest = store.readAll({ categories: LEDGER_CATEGORIES, direction: 'backwards', limit: 1 });
  for await (const [event] of newest) if (event) return event.position;
  return BEGINNING;
}

const notReady = (reason: string): Problem =>
  Problem.unavailable(`There is no proof yet: ${reason}. Try again.`, 1);
