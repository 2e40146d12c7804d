import type { Refusal } from './decider';

/** One fault of the shape of a request; `pointer` is a JSON pointer into `/body`, `/query` or `/path`. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/**
 * An answer that is not what was asked for, as `application/problem+json` (RFC 9457).
 * `code` is stable; `ok: false` and `error` serve clients of the wallet dialect in the same object.
 */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly requestId: string;
  readonly ok: false;
  readonly error: string;
  readonly errors?: readonly Fault[];
  readonly [extra: string]: unknown;
}

/** Thrown at the edge to answer with a problem document. `headers` are sent along. */
export class Problem extends Error {
  override readonly name = 'Problem';
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly more: {
      readonly errors?: readonly Fault[];
      readonly extra?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(`${status} ${code}: ${detail}`);
  }

  static of(refusal: Refusal): Problem {
    return new Problem(
      refusal.status,
      refusal.code,
      refusal.detail,
      refusal.extra ? { extra: refusal.extra } : {},
    );
  }
}
