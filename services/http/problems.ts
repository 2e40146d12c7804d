import { STATUS_CODES } from 'node:http';
import { EngineUnavailable } from '../../contracts/engine-unavailable';
import { Problem, type ProblemDocument } from '../../contracts/problem';
import { AppendTooLarge } from '../../contracts/ports/event-store';

/** RFC 9457 document of a problem. Members of the wallet dialect (`ok`, `error`) stand beside the standard ones. */
export function problemDocument(problem: Problem, requestId: string): ProblemDocument {
  return {
    type: `/problems/${problem.code}`,
    title: STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.detail,
    instance: `/requests/${requestId}`,
    code: problem.code,
    requestId,
    ok: false,
    error: problem.code,
    ...(problem.more.errors && { errors: problem.more.errors }),
    ...problem.more.extra,
  };
}

/** Seconds: engines that fail over or restart are back about then. */
const RETRY_AFTER = 2;

/** What body-parser and the router throw, by its `type` or status; our own faults become a 500 that says nothing. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof EngineUnavailable)
    return new Problem(503, 'engine_unavailable', `An engine does not answer (${error.engine}); try again.`, {
      headers: { 'Retry-After': String(RETRY_AFTER) },
    });
  if (error instanceof AppendTooLarge)
    return new Problem(
      413,
      'append_too_large',
      'It was not done: what would have to be recorded in one piece is larger than the event store takes.',
    );
  const { type, status } = error as { type?: unknown; status?: unknown };
  switch (type) {
    case 'entity.parse.failed':
      return new Problem(400, 'invalid_json', 'The body is not JSON.');
    case 'entity.too.large':
      return new Problem(413, 'body_too_large', 'The body is larger than this endpoint accepts.');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new Problem(
        415,
        'unsupported_media_type',
        'The encoding of the body is not supported; send UTF-8 JSON.',
      );
    case 'request.aborted':
    case 'request.size.invalid':
      return new Problem(400, 'invalid_request', 'The body ended before its announced length.');
  }
  if (error instanceof URIError || status === 400) {
    return new Problem(400, 'invalid_request', 'The request could not be read: malformed encoding.');
  }
  return new Problem(
    500,
    'internal',
    'Something went wrong on our side; the request id finds it in the log.',
  );
}
