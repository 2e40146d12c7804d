import type { z } from 'zod';
import { DESCRIBED } from '../../contracts/problem/describe-issue';
import type { ErrorCode } from '../../contracts/problem/errors';
import { MAX_FIELD_ERRORS, Problem, type FieldError } from '../../contracts/problem/problem';

const MAX_DEPTH = 16;
/** Members of an object, items of an array: as many as the largest batch has. */
const MAX_CHILDREN = 1_000;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** The JSON pointer of a value in one part of a request. */
export function pointerTo(part: string, path: readonly PropertyKey[]): string {
  return ['', part, ...path.map(step => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

/**
 * Refuses keys that could reach a prototype, nesting deeper than 16 levels, and more in one array or object than any endpoint
 * takes: a schema would look at each, and name what is wrong with it. @throws Problem 400
 */
export function refuseUnsafeKeys(body: unknown): void {
  const open: { value: unknown; path: readonly string[] }[] = [{ value: body, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= MAX_DEPTH)
      throw invalid([fieldError('body', path, 'too_deep', `nested deeper than ${MAX_DEPTH}`)]);
    if ((Array.isArray(value) ? value : Object.keys(value)).length > MAX_CHILDREN)
      throw invalid([fieldError('body', path, 'too_big', `more than ${MAX_CHILDREN} of them`)]);
    for (const [key, child] of Object.entries(value)) {
      if (FORBIDDEN_KEYS.has(key))
        throw invalid([fieldError('body', [...path, key], 'forbidden_key', 'this key is not allowed')]);
      if (typeof child === 'object') open.push({ value: child, path: [...path, key] });
    }
  }
}

const fieldError = (
  part: string,
  path: readonly PropertyKey[],
  code: string,
  message: string,
): FieldError => ({
  pointer: pointerTo(part, path),
  code,
  message,
});

function invalid(errors: readonly FieldError[]): Problem {
  const [first] = errors;
  return new Problem('invalid_request', `${first?.pointer}: ${first?.message}`, { errors });
}

type Issues = readonly z.core.$ZodIssue[];

/** The alternative with the fewest faults, and one of the type of the value before those of other types. */
function closestOf(alternatives: readonly Issues[]): Issues {
  const isOfOtherType = (issues: Issues): boolean =>
    issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);
  const alike = alternatives.filter(issues => !isOfOtherType(issues));
  const candidates = alike.length > 0 ? alike : alternatives;
  return candidates.reduce((best, each) => (each.length < best.length ? each : best));
}

/** An unknown key is an issue of the object that holds it; the error names the key itself. */
function* fieldErrorsOf(part: string, issue: z.core.$ZodIssue): Generator<FieldError> {
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys)
      yield fieldError(part, [...issue.path, key], 'unknown_field', 'this field is not known here');
    return;
  }
  if (
    issue.code === 'invalid_union' &&
    issue.errors.length > 0 &&
    !('discriminator' in issue && issue.discriminator)
  ) {
    const closest = closestOf(issue.errors);
    for (const each of closest) yield* fieldErrorsOf(part, { ...each, path: [...issue.path, ...each.path] });
    if (closest.length > 0) return;
  }
  const code =
    issue.code === 'custom' && typeof issue.params?.code === 'string' ? issue.params.code : issue.code;
  yield fieldError(part, issue.path, code, issue.message);
}

/** The first ones: what else is wrong is learnt once these are corrected. */
function firstErrors(part: string, issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of issues)
    for (const error of fieldErrorsOf(part, issue)) {
      if (errors.length === MAX_FIELD_ERRORS) return errors;
      errors.push(error);
    }
  return errors;
}

/**
 * Parses one part of a request (`path`, `query` or `body`) or throws a 400 whose `errors` name invalid fields.
 * A custom issue may set the problem code with `params.problem`.
 */
export function validate<S extends z.ZodType>(
  schema: S | undefined,
  part: string,
  value: unknown,
): z.output<S> {
  if (!schema) return undefined as z.output<S>;
  // Nearly all values are valid, and without options they are parsed several times as fast.
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = schema.safeParse(value, DESCRIBED).error!;
  const errors = firstErrors(part, issues);
  const { detail } = invalid(errors);
  const named = issues.find(issue => issue.code === 'custom' && issue.params?.problem);
  const code = named?.code === 'custom' ? (named.params?.problem as ErrorCode) : 'invalid_request';
  throw new Problem(code, detail, { errors });
}
