import { LEDGER_CATEGORIES } from '../../contracts/events/ledger';
import type { ReportRequest } from '../../contracts/http/billing-actions';
import type { Json, JsonObject } from '../../contracts/json';
import { BEGINNING, formatPosition, type Position } from '../../contracts/position';
import { Problem } from '../../contracts/problem';
import { headText, type ReportProof } from '../../contracts/seal/proof';
import type { EventStore } from '../../contracts/ports/event-store';
import type { AsOf } from '../../projections/as-of/port';
import type { Views } from '../../projections/views';
import { WithHeaders } from '../http/binding';
import { NotSealed, type Prover } from '../prover';
import { readAsOf } from './as-of';

interface ProvenDeps {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly asOf: AsOf;
  readonly prover: Prover;
  readonly now: () => string;
}

/** How a request is answered: from the ledger as it is now, up to the position at least, or as it stood. */
export interface Reading<Answer> {
  now(position: Position): Promise<Answer>;
  past(views: Views): Promise<Answer>;
}

export type Proven<Answer> = Answer & { readonly proof: ReportProof };

/**
 * An answer that is exactly the state at one position, with the proof of it.
 * @throws Problem 503 `not_ready` when the ledger is not sealed up to there in time
 */
export async function proven<Answer extends object>(
  deps: ProvenDeps,
  request: ReportRequest,
  reading: Reading<Answer>,
): Promise<WithHeaders<Proven<Answer>>> {
  const { answer, position } = await stateOf(deps, request, reading);
  const { proof: _, ...query } = request;
  const body = JSON.parse(JSON.stringify(answer)) as Json;
  const proof = await deps.prover
    .prove({ query: query as JsonObject, body, position })
    .catch((error: unknown) => {
      throw error instanceof NotSealed ? notReady(error.message) : error;
    });
  return new WithHeaders(
    { ...answer, proof },
    {
      'X-Ledger-Position': formatPosition(position),
      'X-Ledger-Head': headText(proof.position, proof.head),
    },
  );
}

interface State<Answer> {
  readonly answer: Answer;
  readonly position: Position;
}

/** Attempts to find the ledger at rest before it is folded apart up to one position. */
const LOOKS = 3;

async function stateOf<Answer>(
  { store, asOf, now }: ProvenDeps,
  request: ReportRequest,
  { now: read, past }: Reading<Answer>,
): Promise<State<Answer>> {
  const stood = async (moment: string | number): Promise<State<Answer>> => {
    const asked = readAsOf(asOf, moment, now(), async (views, position) => ({
      answer: await past(views),
      position,
    }));
    return (await asked).body;
  };
  if (request.asOf !== undefined) return stood(request.asOf);

  let position = await lastOfLedger(store);
  for (let look = 0; look < LOOKS; look++) {
    // It includes the position, and nothing beyond it when nothing beyond it is there afterwards.
    const answer = await read(position);
    const since = await lastOfLedger(store);
    if (since === position) return { answer, position };
    position = since;
  }
  return stood(position);
}

async function lastOfLedger(store: Pick<EventStore, 'readAll'>): Promise<Position> {
  const newest = store.readAll({ categories: LEDGER_CATEGORIES, direction: 'backwards', limit: 1 });
  for await (const [event] of newest) if (event) return event.position;
  return BEGINNING;
}

const notReady = (reason: string): Problem =>
  new Problem(503, 'not_ready', `There is no proof yet: ${reason}. Try again.`, {
    headers: { 'Retry-After': '1' },
  });
