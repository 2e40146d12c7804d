import {
  accessesOf,
  AUTH_SCHEMES,
  errorsOf,
  type Access,
  type Endpoint,
  type Example,
} from '../../contracts/http/endpoint';
import { ERRORS, type ErrorCode } from '../../contracts/errors';
import { problemSchema } from '../../contracts/problem';
import { ComponentSchemas, type Schema } from './openapi-schemas';

/** The OpenAPI 3.1 document of the endpoints. */
export function openApiDocument(endpoints: readonly Endpoint[]): Schema {
  const schemas = new ComponentSchemas();
  schemas.add(problemSchema, 'output');
  const paths: Record<string, Schema> = {};
  for (const endpoint of endpoints)
    for (const path of [endpoint.path, ...(endpoint.aliases ?? [])])
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: operation(endpoint, path !== endpoint.path, schemas),
      };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidemark',
      version: '0.1.0',
      description: 'Wallet backend for TON and Solana, and billing administration of the instance.',
    },
    paths,
    components: { securitySchemes: AUTH_SCHEMES, schemas: schemas.all() },
  };
}

/** A body of text may have any other type, too. */
const MEDIA_TYPES = { json: 'application/json', text: 'text/plain' } as const;

function operation(endpoint: Endpoint, isAlias: boolean, schemas: ComponentSchemas): Schema {
  const { group, kind = 'json', path, summary, params, query, body, auth = 'none' } = endpoint;
  const { cors = false, bodyType = 'json', bodyLimit, examples = [] } = endpoint;
  return {
    tags: [group],
    summary,
    ...describe([
      isAlias && `Another spelling of \`${path}\`.`,
      body && bodyLimit !== undefined && `The body may have ${bodyLimit} bytes.`,
      cors && 'Pages of any origin may call it (CORS).',
      kind === 'websocket' &&
        'A WebSocket. `x-messages` are the schemas of its JSON messages, from the client and to it.',
    ]),
    parameters: [
      ...parametersOf(params && schemas.add(params, 'input'), 'path', examples[0]?.params),
      ...parametersOf(query && schemas.add(query, 'input'), 'query', examples[0]?.query),
      ...headersOf(endpoint),
    ],
    ...(body &&
      kind !== 'websocket' && {
        requestBody: {
          required: !body.safeParse(undefined).success,
          content: {
            [MEDIA_TYPES[bodyType]]: { schema: schemas.add(body, 'input'), ...bodyExamples(examples) },
          },
        },
      }),
    ...(kind === 'websocket' && {
      'x-messages': {
        ...(body && { received: schemas.add(body, 'input') }),
        ...(endpoint.response && { sent: schemas.add(endpoint.response, 'output') }),
      },
    }),
    ...(auth !== 'none' && { security: [{ [auth]: [] }] }),
    responses: { ...success(endpoint, schemas), ...problems(endpoint) },
  };
}

function describe(parts: readonly (string | false | undefined)[]): { description?: string } {
  const text = parts.filter(Boolean).join(' ');
  return text === '' ? {} : { description: text };
}

/** Named by number: the examples explain themselves. */
function bodyExamples(examples: readonly Example[]): Schema {
  const bodies = examples.flatMap(({ body }) => (body ? [body] : []));
  if (bodies.length === 0) return {};
  return { examples: Object.fromEntries(bodies.map((value, n) => [String(n + 1), { value }])) };
}

function parametersOf(
  schema: Schema | undefined,
  place: 'path' | 'query',
  example: Readonly<Record<string, string>> = {},
): Schema[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: of,
    ...(example[name] !== undefined && { example: example[name] }),
  }));
}

const REQUEST_HEADERS = {
  idempotency: {
    name: 'Idempotency-Key',
    description:
      'Makes a change happen once: 1 to 255 printable ASCII characters, unique to the caller and the action. A repetition gets the first response, with `Idempotent-Replayed: true`.',
  },
  minPosition: {
    name: 'X-Min-Position',
    description: 'A position from `X-Ledger-Position`: the read waits, within limits, until it includes it.',
  },
} as const satisfies Partial<Record<keyof Access, Schema>>;

const headersOf = (endpoint: Endpoint): Schema[] =>
  (Object.keys(REQUEST_HEADERS) as (keyof typeof REQUEST_HEADERS)[])
    .filter(field => accessesOf(endpoint).some(access => access[field]))
    .map(field => ({ ...REQUEST_HEADERS[field], in: 'header', schema: { type: 'string' } }));

const header = (description: string): Schema => ({ description, schema: { type: 'string' } });

function success(endpoint: Endpoint, schemas: ComponentSchemas): Schema {
  const { kind = 'json', status = 200, response, responseHeaders = {} } = endpoint;
  const accesses = accessesOf(endpoint);
  const headers = {
    ...Object.fromEntries(Object.entries(responseHeaders).map(([name, text]) => [name, header(text)])),
    ...(accesses.some(({ idempotency }) => idempotency) && {
      'Idempotent-Replayed': header('`true` on the repetition of an earlier response.'),
    }),
    ...((endpoint.limitedByAddress || accesses.some(({ rateLimit }) => rateLimit)) && {
      RateLimit: header('What is left of each quota (draft-ietf-httpapi-ratelimit-headers-10).'),
    }),
  };
  const withHeaders = Object.keys(headers).length > 0 && { headers };
  const content = (type: string, schema: Schema): Schema => ({ content: { [type]: { schema } } });
  const body = (): Schema => (response ? schemas.add(response, 'output') : {});
  switch (kind) {
    case 'json':
      return {
        [status]: {
          description: 'OK',
          ...withHeaders,
          ...(status !== 204 && content('application/json', body())),
        },
      };
    case 'sse':
      return {
        [status]: {
          description: 'Server-sent events; the schema is that of the JSON in `data`.',
          ...withHeaders,
          ...content('text/event-stream', body()),
        },
      };
    case 'websocket':
      return { 101: { description: 'The connection is a WebSocket from here on.' } };
    case 'raw': {
      const type = endpoint.contentType ?? 'application/octet-stream';
      return { [status]: { description: 'OK', ...withHeaders, ...content(type, {}) } };
    }
    case 'proxy':
      return { default: { description: 'The response of the server behind this path.' } };
  }
}

/** One response for each status, with an example for each code. */
function problems(endpoint: Endpoint): Schema {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(endpoint)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, problemResponse(status, codes)]));
}

const RETRIED = [429, 503];

const problemResponse = (status: number, codes: readonly ErrorCode[]): Schema => ({
  description: codes.map(code => `\`${code}\`: ${ERRORS[code].title}`).join('; '),
  ...(RETRIED.includes(status) && { headers: { 'Retry-After': header('Seconds.') } }),
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(codes.map(code => [code, { value: example(code) }])),
    },
  },
});

const example = (code: ErrorCode): Schema => ({
  type: `/problems/${code}`,
  ...ERRORS[code],
  detail: ERRORS[code].title,
  instance: '/requests/4f9f',
  code,
  requestId: '4f9f',
  ok: false,
  error: code,
});
