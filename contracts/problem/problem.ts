import { z } from 'zod';
import type { Refusal } from '../decider';
import { ERRORS, type ErrorCode } from './errors';

/** One field at fault; `pointer` is a JSON pointer into `/body`, `/query`, `/path` or `/header`. */
const fieldError = z
  .object({ pointer: z.string(), code: z.string(), message: z.string() })
  .readonly()
  .meta({ id: 'FieldError' });
export type FieldError = z.output<typeof fieldError>;

const code = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);

/** An error response as `application/problem+json` (RFC 9457), with further members. */
export const problemSchema = z
  .looseObject({
    type: z.string().meta({ description: 'Path of a page that explains the code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: code.meta({ description: 'Stable: what programs should look at.' }),
    requestId: z.string(),
    ok: z.literal(false).meta({ description: 'With `error`, for clients of the wallet dialect.' }),
    error: code,
    errors: z.array(fieldError).readonly().optional(),
  })
  .refine(({ code, error, status, title }) => {
    const defined = ERRORS[code];
    return error === code && status === defined.status && title === defined.title;
  }, 'must be as the table of errors defines its code')
  .meta({ id: 'Problem' });
export type ProblemDocument = z.output<typeof problemSchema>;

interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  /** Further members of the document. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds, sent as `Retry-After`. */
  readonly retryAfter?: number;
}

/** Of one response. */
export const MAX_FIELD_ERRORS = 50;
/** Characters; what callers have sent, of any length, may be part of both. */
const MAX_MESSAGE = 1_000;
const MAX_POINTER = 300;

const clipped = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}\u2026`;

/** Thrown to answer with a problem document, whose size is bounded. Status and title follow from the code. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly detail: string;
  readonly status: (typeof ERRORS)[ErrorCode]['status'];
  readonly errors: readonly FieldError[] | undefined;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    detail: string,
    { errors, extra = {}, headers = {}, retryAfter }: ProblemOptions = {},
  ) {
    const { status } = ERRORS[code];
    const shown = clipped(detail, MAX_MESSAGE);
    super(`${status} ${code}: ${shown}`);
    this.detail = shown;
    this.status = status;
    this.errors = errors?.slice(0, MAX_FIELD_ERRORS).map(each => ({
      ...each,
      pointer: clipped(each.pointer, MAX_POINTER),
      message: clipped(each.message, MAX_MESSAGE),
    }));
    this.extra = extra;
    this.headers = retryAfter === undefined ? headers : { ...headers, 'Retry-After': String(retryAfter) };
  }

  static of({ code, detail, extra }: Refusal): Problem {
    return new Problem(code, detail, extra ? { extra } : {});
  }

  /**
   * A 400 that names the field at fault.
   * @param pointer JSON pointer such as `/body/paidAt`
   * @param fieldCode `code` of the field error
   */
  static invalid(
    pointer: string,
    message: string,
    fieldCode = 'invalid_value',
    code: ErrorCode = 'invalid_request',
  ): Problem {
    return new Problem(code, `${pointer}: ${message}`, { errors: [{ pointer, code: fieldCode, message }] });
  }

  /** A 503 `not_ready`: the same request succeeds later. @param retryAfter seconds */
  static unavailable(detail: string, retryAfter: number): Problem {
    return new Problem('not_ready', detail, { retryAfter });
  }
}
