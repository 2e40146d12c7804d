import { accessesOf, type Endpoint } from '../../../contracts/http/endpoint';
import type { Schema } from './component-schemas';
import type { Components } from './components';

const POSITION = { type: 'string', pattern: '^(-1|0|[1-9]\\d{0,15})$' };
const COUNT = { type: 'integer', minimum: 0 };

/** Values of headers that are not any text. */
const SCHEMAS: Readonly<Record<string, Schema>> = {
  Age: COUNT,
  'Retry-After': COUNT,
  'X-Config-Version': COUNT,
  'X-Data-As-Of': { type: 'string', format: 'date-time' },
  'X-Ledger-Position': POSITION,
  'X-Min-Position': POSITION,
  'Last-Event-ID': { type: 'string', pattern: '^\\d{1,20}$' },
  'Idempotent-Replayed': { type: 'string', const: 'true' },
};

const schemaOf = (name: string): Schema => SCHEMAS[name] ?? { type: 'string' };

/** Headers of responses that this program sends wherever they apply, whatever the endpoint. */
const GENERAL = {
  'X-Request-Id': {
    description:
      'What the log calls the request: `X-Request-Id` of the request, if it has 1 to 64 of A-Z a-z 0-9 _ -',
    required: true,
  },
  RateLimit: { description: 'What is left of each quota (draft-ietf-httpapi-ratelimit-headers-10)' },
  'RateLimit-Policy': { description: 'Each quota and its window in seconds' },
  'Retry-After': { description: 'Seconds after which the same request may succeed' },
  'Idempotent-Replayed': { description: 'On the repetition of an earlier response' },
  ETag: { description: 'For `If-None-Match`; absent where the answer may change at any time' },
  Allow: { description: 'The methods that the path accepts', required: true },
  Upgrade: { description: '`websocket`', required: true },
  'WWW-Authenticate': { description: 'The challenge (RFC 6750, RFC 9470)', required: true },
} as const satisfies Record<string, { readonly description: string; readonly required?: true }>;
type GeneralHeader = keyof typeof GENERAL;

/** References to general headers, by name; `X-Request-Id` is on every response. */
export function generalHeaders(names: readonly GeneralHeader[], components: Components): Schema {
  return Object.fromEntries(
    (['X-Request-Id', ...names] as const).map(name => [
      name,
      components.refer('headers', name, () => ({ ...GENERAL[name], schema: schemaOf(name) })),
    ]),
  );
}

/** Whether its responses may be repetitions of earlier ones. */
export function isIdempotent(endpoint: Endpoint): boolean {
  return accessesOf(endpoint).some(({ idempotency }) => idempotency);
}

/** A general header that every response of its status has. */
export function alwaysSent(name: GeneralHeader): Schema {
  return { [name]: { ...GENERAL[name], required: true, schema: schemaOf(name) } };
}

/** The headers that an endpoint declares for its successful responses. */
export function declaredHeaders({ responseHeaders = {} }: Endpoint): Schema {
  return Object.fromEntries(
    Object.entries(responseHeaders).map(([name, header]) => [
      name,
      {
        ...(typeof header === 'string' ? { description: header } : header),
        schema: schemaOf(name),
      },
    ]),
  );
}

/** A request header as a parameter. */
export function requestHeader(name: string, description: string): Schema {
  return { name, in: 'header', description, schema: schemaOf(name) };
}
