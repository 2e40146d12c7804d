import { randomUUID } from 'node:crypto';
import { idempotentCallStream } from '../../contracts/events/idempotency';
import { Problem } from '../../contracts/problem';
import type { Handle } from '../handle';
import { WithHeaders } from '../http/binding';
import type { PersonalTexts } from '../personal-text';
import { problemDocument } from '../http/problems';
import { unrepeatable, type Once } from '../once';
import { giveAgain, keep, REPLAYED } from './answer';
import { callKind, IN_FLIGHT } from './decider';
import { attemptOf, bodyHashOf, callIdOf, checkKey } from './key';

interface OnceDeps {
  readonly handle: Handle;
  readonly texts: PersonalTexts;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
  /** Milliseconds after which a call that has not been answered is taken over; longer than any call lasts. */
  readonly takeOverAfter: number;
}

/**
 * Calls that are carried out once for each key. A call is begun in a stream of its own, by the revision `no_stream`, so
 * of many at once, in whatever processes, one carries it out. Its ids follow from the key: what a crash left half done is
 * gone on with by the next of the same key, and answered as the first would have been.
 *
 * Kept are answers and refusals of the domain. Who is in flight with others (409 `version_conflict`), or meets an engine
 * that is away, may try again with the same key.
 */
export function createOnce({ handle, texts, now, takeOverAfter }: OnceDeps): Once {
  return async (call, carryOut) => {
    const { key, scope, body, metadata } = call;
    if (key === undefined) return carryOut(unrepeatable());
    checkKey(key);
    const callId = callIdOf(scope, key);
    const stream = idempotentCallStream(callId);
    const attempt = randomUUID();
    const noted = () => ({ ...metadata, now: now() });
    const giveUp = async (): Promise<void> => {
      await handle(callKind, stream, { type: 'give_up', attempt, metadata: noted() });
    };

    const bodyHash = bodyHashOf(body);
    const begun = await handle(callKind, stream, {
      type: 'begin',
      bodyHash,
      attempt,
      takeOverAfter,
      metadata: noted(),
    });
    if (begun.refusal) throw refused(Problem.of(begun.refusal));
    const answer = begun.state?.answer;
    if (answer) {
      const again = await giveAgain(answer, texts);
      // The body is the one of the same call.
      if (again) return again as Awaited<ReturnType<typeof carryOut>>;
      const { body: now, headers, status } = await carryOut(attemptOf(callId));
      return new WithHeaders(now, { ...headers, [REPLAYED]: 'true' }, status);
    }

    const settle = async (came: WithHeaders<unknown>): Promise<void> => {
      const kept = await keep(came, texts, metadata.actor);
      await handle(callKind, stream, { type: 'answer', answer: kept, metadata: noted() });
    };
    try {
      const came = await carryOut(attemptOf(callId));
      await settle(came);
      return came;
    } catch (error) {
      if (error instanceof Problem && isLasting(error)) {
        const document = problemDocument(error, String(metadata['requestId']));
        await settle(new WithHeaders(document, error.more.headers ?? {}, error.status));
      } else {
        // Whoever comes next waits for it to be taken over, should this fail too.
        await giveUp().catch(() => undefined);
      }
      throw error;
    }
  };
}

const LASTING = [404, 409, 422];

const isLasting = ({ status, code }: Problem): boolean =>
  LASTING.includes(status) && code !== 'version_conflict';

function refused(problem: Problem): Problem {
  const { status, code, detail, more } = problem;
  if (code !== IN_FLIGHT) return problem;
  const { retryAfter } = more.extra as { retryAfter: number };
  return new Problem(status, code, detail, { headers: { 'Retry-After': String(retryAfter) } });
}
