import { accessesOf, type Access, type Endpoint } from '../../../contracts/http/endpoint';
import type { Schema } from './component-schemas';
import type { Components } from './components';
import { requestHeader } from './headers';
import { parameterSchema } from './named-schemas';

/** The parameters of an operation: of its path and query, and the request headers that it honours. */
export function parametersOf(endpoint: Endpoint, components: Components): Schema[] {
  const { params, query, requestHeaders = {}, examples: [example] = [] } = endpoint;
  const { schemas } = components;
  return [
    ...fieldsOf(params && schemas.add(params, 'input'), 'path', example?.params),
    ...fieldsOf(query && schemas.add(query, 'input'), 'query', example?.query),
    ...Object.entries(requestHeaders).map(([name, description]) => requestHeader(name, description)),
    ...honouredHeaders(endpoint, components),
  ];
}

function fieldsOf(
  schema: Schema | undefined,
  place: 'path' | 'query',
  example: Readonly<Record<string, string>> = {},
): Schema[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, of]) => {
    // The page at /docs shows that of a parameter, not that of its schema.
    const { description, ...schema } = parameterSchema(of);
    return {
      name,
      in: place,
      ...(description !== undefined && { description }),
      required: place === 'path' || required.includes(name),
      schema,
      ...(example[name] !== undefined && { example: valueOf(example[name], of) }),
    };
  });
}

/** Examples are written as in a URL, and documented as values of the schema. */
const valueOf = (text: string, { type }: Schema): unknown =>
  type === 'integer' || type === 'number' ? Number(text) : text;

const HEADERS = {
  idempotency: [
    'Idempotency-Key',
    'Makes a change happen once: 1 to 255 printable ASCII characters, unique to the caller and the action. A repetition gets the first response, with `Idempotent-Replayed: true`.',
  ],
  minPosition: [
    'X-Min-Position',
    'A position from `X-Ledger-Position`: the read waits, within limits, until it includes it.',
  ],
} as const satisfies Partial<Record<keyof Access, readonly [name: string, description: string]>>;

function honouredHeaders(endpoint: Endpoint, components: Components): Schema[] {
  const used = Object.entries(HEADERS)
    .filter(([field]) => accessesOf(endpoint).some(access => access[field as keyof typeof HEADERS]))
    .map(([, header]) => header);
  const conditional = ['If-None-Match', 'An `ETag`: while it is current, the answer is a 304.'] as const;
  return [...used, ...(endpoint.etag ? [conditional] : [])].map(([name, description]) =>
    components.refer('parameters', name, () => requestHeader(name, description)),
  );
}
