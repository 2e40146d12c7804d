import { ERRORS, type ErrorCode } from '../../../contracts/problem/errors';
import { errorsOf, type Endpoint } from '../../../contracts/http/endpoint';
import { problemSchema } from '../../../contracts/problem/problem';
import type { Schema } from './component-schemas';
import type { Components } from './components';
import { alwaysSent, generalHeaders, isIdempotent } from './headers';
import { typeName } from './names';

/** What any request may be answered with before its endpoint is concerned. */
const UNROUTED: readonly ErrorCode[] = ['method_not_allowed', 'uri_too_long', 'headers_too_large'];

/** What a fault of an engine may be answered with, always together. */
const STORAGE: readonly ErrorCode[] = [
  'engine_unavailable',
  'engine_access_denied',
  'event_store_behind',
  'log_behind',
  'stored_data_damaged',
  'not_ready',
];

/** One problem response for each status, with an example for each code. Those of few codes are components. */
export function problemResponses(endpoint: Endpoint, components: Components): Schema {
  return responsesOf([...errorsOf(endpoint), ...UNROUTED], isIdempotent(endpoint), components);
}

/** As `problemResponses`, of any codes. @param isCommand whether the response may be a repetition */
export function responsesOf(codes: readonly ErrorCode[], isCommand: boolean, components: Components): Schema {
  const declared = new Set(codes);
  const byStatus = new Map<number, ErrorCode[]>();
  // In the order of the table, so that the same codes have the same name.
  for (const code of (Object.keys(ERRORS) as ErrorCode[]).filter(each => declared.has(each))) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const make = () => problemResponse(codes, isCommand, components);
      const name = nameOf(codes, isCommand);
      return [status, name === null ? make() : components.refer('responses', name, make)];
    }),
  );
}

const MAX_NAMED = 3;

function nameOf(codes: readonly ErrorCode[], isCommand: boolean): string | null {
  const isStorage = STORAGE.every(code => codes.includes(code));
  const named = isStorage ? codes.filter(code => !STORAGE.includes(code)) : codes;
  if (named.length > MAX_NAMED) return null;
  const name = [...named.map(typeName), ...(isStorage ? ['StorageUnavailable'] : [])].join('Or');
  return isCommand ? `${name}ToCommand` : name;
}

function problemResponse(codes: readonly ErrorCode[], isCommand: boolean, components: Components): Schema {
  return {
    description: codes.map(code => `\`${code}\`: ${ERRORS[code].title}`).join('; '),
    headers: headersOf(codes, isCommand, components),
    content: {
      'application/problem+json': {
        // One type for all: which codes a status has, the examples say.
        schema: components.schemas.add(problemSchema, 'output'),
        examples: Object.fromEntries(
          codes.map(code => [code, components.refer('examples', code, () => ({ value: example(code) }))]),
        ),
      },
    },
  };
}

const sendsRetryAfter = (code: ErrorCode): boolean => 'retryAfter' in ERRORS[code];

function headersOf(codes: readonly ErrorCode[], isCommand: boolean, components: Components): Schema {
  const has = (code: ErrorCode): boolean => codes.includes(code);
  const isAlwaysRetried = codes.every(sendsRetryAfter);
  return {
    ...generalHeaders(
      [
        ...(!isAlwaysRetried && codes.some(sendsRetryAfter) ? (['Retry-After'] as const) : []),
        // Calls are counted before they are refused for other reasons.
        ...(codes.every(code => UNROUTED.includes(code)) ? [] : (['RateLimit', 'RateLimit-Policy'] as const)),
        ...(isCommand ? (['Idempotent-Replayed'] as const) : []),
        ...(has('method_not_allowed') ? (['Allow'] as const) : []),
        ...(has('upgrade_required') ? (['Upgrade'] as const) : []),
        ...(has('unauthenticated') ? (['WWW-Authenticate'] as const) : []),
      ],
      components,
    ),
    ...(isAlwaysRetried && alwaysSent('Retry-After')),
  };
}

function example(code: ErrorCode): Schema {
  const { status, title } = ERRORS[code];
  return {
    type: `/problems/${code}`,
    title,
    status,
    detail: title,
    instance: '/requests/4f9f',
    code,
    requestId: '4f9f',
    ok: false,
    error: code,
  };
}
