import { randomUUID } from 'node:crypto';
import type { CommandMetadata } from '../../contracts/decider';
import { idempotentCallStream } from '../../contracts/events/idempotency';
import type { Json } from '../../contracts/json/json';
import { Problem } from '../../contracts/problem/problem';
import { newStream } from '../commands/stream-kind';
import type { Handle } from '../commands/handle';
import { Reply, type Middleware } from '../http/call';
import { commandMetadata } from '../http/command-metadata';
import { problemDocument } from '../http/problems';
import type { PersonalTexts } from '../personal-texts/personal-text';
import { newAttempt, type Attempt } from './attempt';
import { createAbandonments } from './abandonments';
import { callKind } from './decider';
import { attemptOf, bodyHashOf, callIdOf, checkKey } from './key';
import { recordResponse, REPLAYED, replayResponse } from './recorded-response';

interface KeyedCall {
  /** The `Idempotency-Key` as it was sent. */
  readonly key: string | undefined;
  /** A key is unique within it: the caller and the operation. */
  readonly scope: readonly string[];
  readonly body: Json;
  readonly metadata: CommandMetadata;
  /** Takes over the wait until the response is recorded, before which nobody may be answered. Default: it is waited for here. */
  readonly defer?: (recording: Promise<void>) => void;
}

/**
 * Executes a call, or returns the response of the earlier call with the same key.
 * @throws Problem 400 when the key is malformed, 409 `idempotency_in_flight`, 422 `idempotency_key_reused`
 */
export type Idempotent = <Body>(
  call: KeyedCall,
  execute: (attempt: Attempt) => Promise<Reply<Body>>,
) => Promise<Reply<Body>>;

interface IdempotentDeps {
  readonly handle: Handle;
  readonly texts: PersonalTexts;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
  /** Time after which a call without a response is attempted again; must be longer than any call lasts. */
  readonly takeOverAfterMs: number;
}

/**
 * Calls are executed once for each key. A call is appended to its own stream with the expected revision `no_stream`, so
 * that of concurrent calls, in any number of processes, one executes. Its ids are derived from the key, so the next call
 * with the key completes what a crash interrupted, and returns the response that the first would have returned.
 *
 * Responses and refusals of the domain are recorded; refusals not while the documents do not answer. After a 409 `version_conflict` or an unavailable engine the same
 * key may be retried.
 */
export function createIdempotent({ handle, texts, now, takeOverAfterMs }: IdempotentDeps): Idempotent {
  const abandonments = createAbandonments(takeOverAfterMs);
  return async (call, execute) => {
    const { key, scope, body, metadata, defer } = call;
    if (key === undefined) return execute(newAttempt());
    checkKey(key);
    const callId = callIdOf(scope, key);
    const stream = idempotentCallStream(callId);
    const attempt = randomUUID();
    const current = () => ({ ...metadata, now: now() });
    const abandon = (error: unknown): Promise<void> =>
      abandonments.add(
        stream,
        () => handle(callKind, stream, { type: 'abandon', attempt, metadata: current() }),
        error,
      );

    const bodyHash = bodyHashOf(body);
    await abandonments.settle(stream);
    const started = await handle(
      callKind,
      stream,
      { type: 'start', bodyHash, attempt, takeOverAfterMs, metadata: current() },
      newStream(callKind),
    ).catch(async (error: unknown) => {
      // It may have been started.
      await abandon(error);
      throw error;
    });
    if (started.refusal) throw refused(Problem.of(started.refusal));
    const response = started.state?.response;
    if (response) {
      const replayed = await replayResponse(response, texts);
      // The recorded body is that of the same call, so it has the same type.
      if (replayed) return replayed as Awaited<ReturnType<typeof execute>>;
      const { body: same, headers, status } = await execute(attemptOf(callId));
      return new Reply(same, { ...headers, [REPLAYED]: 'true' }, status);
    }

    const record = async (reply: Reply<unknown>): Promise<void> => {
      try {
        const recorded = await recordResponse(reply, texts, metadata.actor);
        if (!recorded) return await abandon(null);
        const answer = { type: 'answer', response: recorded, metadata: current() } as const;
        await handle(callKind, stream, answer, started);
      } catch (error) {
        await abandon(error);
        throw error;
      }
    };
    const recordBeforeAnswer = async (reply: Reply<unknown>): Promise<void> => {
      const recording = record(reply);
      if (!defer) return recording;
      recording.catch(() => undefined);
      defer(recording);
    };
    let reply;
    try {
      reply = await execute(attemptOf(callId));
    } catch (error) {
      if (error instanceof Problem && isFinal(error)) {
        const document = problemDocument(error, String(metadata['requestId']));
        await recordBeforeAnswer(new Reply(document, error.headers, error.status));
      } else await abandon(error);
      throw error;
    }
    await recordBeforeAnswer(reply);
    return reply;
  };
}

/** Calls with an `Idempotency-Key`, unique to the caller and the operation, are executed once. */
export function idempotency(
  idempotent: Idempotent,
  { instanceId, now }: { readonly instanceId: string; readonly now: () => string },
): Middleware {
  return (call, next) => {
    const metadata = commandMetadata(call, now());
    const { issuer, actor } = metadata;
    return idempotent(
      {
        key: call.header('idempotency-key'),
        scope: [instanceId, issuer, actor, call.operation],
        body: call.body as Json,
        metadata,
        defer: recording => call.beforeAnswer.push(recording),
      },
      attempt => {
        call.attempt = attempt;
        return next();
      },
    );
  };
}

const FINAL_STATUSES = [404, 409, 422];

const isFinal = ({ status, code }: Problem): boolean =>
  FINAL_STATUSES.includes(status) && code !== 'version_conflict';

function refused(problem: Problem): Problem {
  if (problem.code !== 'idempotency_in_flight') return problem;
  const { retryAfter } = problem.extra as { retryAfter: number };
  return new Problem(problem.code, problem.detail, { retryAfter });
}
