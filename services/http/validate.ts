import type { z } from 'zod';
import type { ErrorCode } from '../../contracts/errors';
import { Problem, type FieldError } from '../../contracts/problem';

const MAX_DEPTH = 16;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** The JSON pointer of a value in one part of a request. */
export function pointerTo(part: string, path: readonly PropertyKey[]): string {
  return ['', part, ...path.map(step => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

/** Refuses keys that could reach a prototype, and nesting deeper than 16 levels. @throws Problem 400 */
export function refuseUnsafeKeys(body: unknown): void {
  const open: { value: unknown; path: readonly string[] }[] = [{ value: body, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= MAX_DEPTH)
      throw invalid([fieldError('body', path, 'too_deep', `nested deeper than ${MAX_DEPTH}`)]);
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

/** An unknown key is an issue of the object that holds it; the error names the key itself. */
function fieldErrorsOf(part: string, issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key =>
      fieldError(part, [...issue.path, key], 'unknown_field', 'this field is not known here'),
    );
  }
  if (
    issue.code === 'invalid_union' &&
    issue.errors.length > 0 &&
    !('discriminator' in issue && issue.discriminator)
  ) {
    const closest = [...issue.errors].sort((a, b) => a.length - b.length)[0] ?? [];
    const inner = closest.flatMap(each =>
      fieldErrorsOf(part, { ...each, path: [...issue.path, ...each.path] }),
    );
    if (inner.length > 0) return inner;
  }
  const code =
    issue.code === 'custom' && typeof issue.params?.code === 'string' ? issue.params.code : issue.code;
  return [fieldError(part, issue.path, code, issue.message)];
}

/**
 * Parses one part of a request (`path`, `query` or `body`) or throws a 400 whose `errors` name every invalid field.
 * A custom issue may set the problem code with `params.problem`.
 */
export function validate<S extends z.ZodType>(
  schema: S | undefined,
  part: string,
  value: unknown,
): z.output<S> {
  if (!schema) return undefined as z.output<S>;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.slice(0, 50).flatMap(issue => fieldErrorsOf(part, issue));
  const { detail } = invalid(errors);
  const named = parsed.error.issues.find(issue => issue.code === 'custom' && issue.params?.problem);
  const code = named?.code === 'custom' ? (named.params?.problem as ErrorCode) : 'invalid_request';
  throw new Problem(code, detail, { errors });
}
