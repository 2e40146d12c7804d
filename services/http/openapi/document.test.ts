import { z } from 'zod';
import { endpoint, type Endpoint } from '../../../contracts/http/endpoint';
import { GROUPS } from '../../../contracts/http/groups';
import { ENDPOINTS } from '../../../test/endpoints';
import { openApiDocument } from './document';
import { writtenNumber } from '../../../contracts/text/written-number';

type Json = Record<string, unknown>;
interface Response {
  readonly headers: Record<string, Json>;
  readonly content: Record<string, { schema: Json; examples: Json }>;
}
interface Operation extends Json {
  readonly operationId: string;
  readonly parameters: readonly Json[];
  readonly responses: Record<string, Response>;
}

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' ? [child as string] : refsIn(child),
  );
}

const REF = '#/components/';
const targetOf = (document: Json, ref: string): Json =>
  ref
    .slice(REF.length)
    .split('/')
    .reduce((at, step) => at[step] as Json, document['components'] as Json);

/** What is referred to is there, and nothing is there that is not referred to. */
function expectResolved(document: Json): void {
  const refs = new Set(refsIn(document));
  for (const ref of refs) expect([ref, targetOf(document, ref)]).toEqual([ref, expect.any(Object)]);
  const { securitySchemes: _, ...components } = document['components'] as Record<string, Json>;
  const all = Object.entries(components).flatMap(([kind, named]) =>
    Object.keys(named).map(name => `${REF}${kind}/${name}`),
  );
  expect([...refs].sort()).toEqual(all.sort());
}

/** The operation, with its parameters and responses in place of references to them. */
function operationOf(document: Json, path: string, method = 'get'): Operation {
  const inPlace = <T>(value: T): T =>
    (value as Json)['$ref'] === undefined
      ? value
      : (targetOf(document, (value as Json)['$ref'] as string) as T);
  const paths = document['paths'] as Record<string, Record<string, Operation>>;
  const operation = paths[path]![method]!;
  return {
    ...operation,
    parameters: operation.parameters.map(inPlace),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [status, inPlace(response)]),
    ),
  };
}

describe('the document of the program', () => {
  const document = openApiDocument(ENDPOINTS);
  const paths = document['paths'] as Record<string, Record<string, Operation>>;
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => operationOf(document, path, method)),
  );

  it('has all that it refers to, and nothing else', () => expectResolved(document));

  it('has no schema that is `false`, nor one of any JSON that refers to itself: generators of clients refuse them', () => {
    expect(JSON.stringify(document)).not.toContain('"items":false');
    expect(schemas['Json']).toEqual({ description: 'Any JSON value' });
  });

  it('shows billing first, and describes every group of endpoints', () => {
    const tags = document['tags'] as { name: string; description: string }[];
    expect(tags[0]!.name).toBe('Billing administration');
    expect(tags.map(({ name }) => name).sort()).toEqual(Object.keys(GROUPS).sort());
    for (const { description } of tags) expect(description).toMatch(/\.$/);
  });

  it('says how to get a token', () => {
    const { securitySchemes } = document['components'] as { securitySchemes: Record<string, Json> };
    expect(securitySchemes['bearer']!['description']).toContain('tidemark -- token');
  });

  it('has no bounds that only say what a number of JSON is', () => {
    expect(JSON.stringify(document)).not.toContain('9007199254740991');
  });

  it('names every operation, and the types of its bodies', () => {
    expect(operations.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['recordFees', 'getTransactions', 'solanaTokens', 'getChangellyCurrencies']),
    );
    for (const { operationId } of operations) expect(operationId).toMatch(/^[a-z][A-Za-z0-9]+$/);
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['RecordFeesRequest', 'SolanaTokensResponse', 'Invoice', 'TonTransaction']),
    );
  });

  it('describes each schema once', () => {
    expect(JSON.stringify(document['components']).match(/"contentHash"/g)!.length).toBeLessThanOrEqual(4);
    expect(paths['/changelly/estimate']!['post']!['requestBody']).toEqual(
      paths['/exchange/estimate']!['post']!['requestBody'],
    );
  });

  it('has a success and every status that any request may get, for each operation', () => {
    // Health is no endpoint: it answers 503 with what is wrong.
    for (const { operationId, responses } of operations.filter(({ tags }) => String(tags) !== 'Health'))
      expect([operationId, Object.keys(responses)]).toEqual([
        operationId,
        expect.arrayContaining([expect.stringMatching(/^(?:2..|101)$/), '405', '414', '431', '500', '503']),
      ]);
  });

  it('has an example of every problem code, by status', () => {
    const { responses } = operationOf(document, '/api/instance-admin', 'post');
    const problemOf = (status: number) => responses[status]!.content['application/problem+json']!;
    const codesOf = (status: number) => Object.keys(problemOf(status).examples);
    expect(codesOf(404)).toEqual(['fee_not_found', 'invoice_not_found', 'settlement_not_found']);
    expect(codesOf(401)).toEqual(['unauthenticated', 'secure_session_required']);
    expect(codesOf(429)).toEqual(['rate_limited']);
    expect(problemOf(404).schema).toEqual({ $ref: '#/components/schemas/Problem' });
  });

  it('has the headers, and says which are always there', () => {
    const { parameters, responses } = operationOf(document, '/api/instance-admin', 'post');
    expect(parameters.map(({ name }) => name)).toEqual(['Idempotency-Key', 'X-Min-Position']);
    expect(Object.keys(responses[200]!.headers)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit', 'Idempotent-Replayed', 'X-Ledger-Position']),
    );
    expect(responses[429]!.headers['Retry-After']).toHaveProperty('required', true);
    // Some of its codes are nothing that passes.
    expect(responses[503]!.headers['Retry-After']).toEqual({ $ref: '#/components/headers/Retry-After' });
    expect(responses[405]!.headers).toHaveProperty('Allow');
    expect(responses[401]!.headers).toHaveProperty('WWW-Authenticate');
    const fees = operationOf(document, '/api/fees', 'post');
    expect(fees.responses[200]!.headers['X-Ledger-Position']).toMatchObject({ required: true });
  });

  it('has the security scheme of an operation with its role, and none where there is none', () => {
    expect(operationOf(document, '/api/fees', 'post')['security']).toEqual([{ bearer: ['admin'] }]);
    expect(operationOf(document, '/api/instance-admin', 'post')['security']).toEqual([{ bearer: [] }]);
    expect(operationOf(document, '/v2/price')['security']).toEqual([]);
    expect(document['components']).toHaveProperty('securitySchemes.bearer.scheme', 'bearer');
  });

  it('distinguishes the actions of an endpoint, with the request and the response of each', () => {
    const operation = operationOf(document, '/api/instance-admin', 'post');
    const { discriminator } = schemas['InstanceAdminRequest'] as {
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator.propertyName).toBe('action');
    const actions = Object.keys(discriminator.mapping);
    expect(actions).toEqual(expect.arrayContaining(['get_revenue', 'void_invoice']));
    for (const [action, ref] of Object.entries(discriminator.mapping))
      expect(targetOf(document, ref)).toMatchObject({ properties: { action: { const: action } } });
    const responses = schemas['InstanceAdminResponses'] as { properties: Record<string, Json> };
    expect(operation['x-responses-by-action']).toEqual({
      $ref: '#/components/schemas/InstanceAdminResponses',
    });
    const files = ['export_invoice', 'export_settlement'];
    expect([...Object.keys(responses.properties), ...files].sort()).toEqual(actions.sort());
    expect(responses.properties['void_invoice']).toEqual({ $ref: '#/components/schemas/InvoiceResponse' });
  });
});

describe('an endpoint', () => {
  const common = { group: 'Toy', summary: 'Toy' };
  const tree: z.ZodType = z.object({ children: z.lazy(() => z.array(tree)) }).meta({ id: 'Tree' });
  const money = z.object({ amount: z.string().default('0') }).meta({ id: 'Money' });
  const size = z.object({ size: writtenNumber.pipe(z.int().min(1)) });
  const document = openApiDocument([
    endpoint({ ...common, method: 'GET', path: '/tree', response: tree }),
    endpoint({ ...common, method: 'GET', path: '/json', response: z.object({ any: z.json() }) }),
    endpoint({ ...common, method: 'GET', path: '/other', response: z.object({ any: z.json() }) }),
    endpoint({
      ...common,
      method: 'POST',
      path: '/money',
      operationId: 'payMoney',
      body: money,
      response: money,
    }),
    endpoint({ ...common, method: 'DELETE', path: '/money', status: 204, auth: 'bearer' }),
    endpoint({
      ...common,
      method: 'GET',
      path: '/events',
      kind: 'sse',
      requestHeaders: { 'Last-Event-ID': 'Only later ones' },
      response: money,
    }),
    endpoint({ ...common, method: 'GET', path: '/socket', kind: 'websocket', body: money, response: money }),
    endpoint({ ...common, method: 'GET', path: '/image', kind: 'raw', contentType: 'image/png' }),
    endpoint({ ...common, method: 'POST', path: '/rpc', kind: 'proxy' }),
    endpoint({ ...common, method: 'GET', path: '/cached', etag: true, response: money }),
    endpoint({ ...common, method: 'GET', path: '/sized', query: size, examples: [{ query: { size: '2' } }] }),
  ]);
  const { schemas } = document['components'] as { schemas: Record<string, Json> };

  it('may have schemas that refer to themselves', () => {
    expectResolved(document);
    expect(Object.keys(schemas)).toEqual([
      'FieldError',
      'GetJsonResponse',
      'GetOtherResponse',
      'HealthReport',
      'Json',
      'Liveness',
      'Money',
      'MoneyInput',
      'Problem',
      'Tree',
    ]);
  });

  it('has different schemas for a request and a response that differ', () => {
    expect(schemas['Money']).toHaveProperty('required', ['amount']);
    expect(schemas['MoneyInput']).not.toHaveProperty('required');
  });

  it('lets responses have further members, as later versions may', () =>
    expect(schemas['Money']).not.toHaveProperty('additionalProperties'));

  it.each([
    ['/events', '200', 'text/event-stream'],
    ['/image', '200', 'image/png'],
  ])('%s answers %s with %s', (path, status, type) =>
    expect(Object.keys(operationOf(document, path).responses[status]!.content)).toEqual([type]),
  );

  it('that is a WebSocket has schemas of its messages, and a 101', () => {
    const { responses, ...operation } = operationOf(document, '/socket');
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['101', '426']));
    expect(operation['x-messages']).toEqual({
      received: { $ref: '#/components/schemas/MoneyInput' },
      sent: { $ref: '#/components/schemas/Money' },
    });
    expect(operation).not.toHaveProperty('requestBody');
  });

  it('without content has none', () =>
    expect(operationOf(document, '/money', 'delete').responses['204']).not.toHaveProperty('content'));

  it('documents the request headers that it reads', () => {
    expect(operationOf(document, '/events').parameters).toEqual([
      expect.objectContaining({ name: 'Last-Event-ID', in: 'header' }),
    ]);
  });

  it('that can be cached has an ETag, and a 304 to If-None-Match', () => {
    const { parameters, responses } = operationOf(document, '/cached');
    expect(parameters).toEqual([expect.objectContaining({ name: 'If-None-Match', in: 'header' })]);
    expect(responses[200]!.headers).toHaveProperty('ETag');
    expect(responses[304]!.headers).toHaveProperty('ETag');
  });

  it('has examples that are values, not text of a URL', () =>
    expect(operationOf(document, '/sized').parameters).toEqual([
      expect.objectContaining({ name: 'size', in: 'query', required: true, example: 2 }),
    ]));
});

describe('the page at /docs', () => {
  const { paths } = openApiDocument(ENDPOINTS) as { paths: Record<string, Record<string, Operation>> };
  const parameters = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods)
      .flatMap(operation => operation.parameters)
      .map(parameter => ({ path, ...parameter }) as Json),
  );

  it('fills in no cursor, which is beyond the end of most chains', () => {
    const cursors = parameters.filter(({ name }) => /^(?:cursor|after|before|lt)$/.test(String(name)));
    const optional = cursors.filter(({ required }) => required === false);
    expect(optional.length).toBeGreaterThan(3);
    const filled = optional.filter(({ example, schema }) => example ?? (schema as Json)['example']);
    expect(filled.map(({ path, name }) => [path, name])).toEqual([]);
  });

  it('shows what is said of a parameter, which it takes from nowhere else', () => {
    expect(parameters.filter(({ description }) => description !== undefined).length).toBeGreaterThan(10);
    expect(parameters.filter(({ schema }) => (schema as Json | undefined)?.['description'])).toEqual([]);
  });
});

describe('operationId', () => {
  const idsOf = (...endpoints: Partial<Endpoint>[]): string[] => {
    const { paths } = openApiDocument(
      endpoints.map(each => ({ group: 'Toy', summary: 'Toy', method: 'GET', path: '/', ...each })),
    ) as { paths: Record<string, Record<string, Operation>> };
    return Object.values(paths)
      .flatMap(methods => Object.values(methods))
      .filter(({ tags }) => String(tags) !== 'Health')
      .map(({ operationId }) => operationId);
  };

  it.each<[string, Partial<Endpoint>]>([
    ['getContractInfo', { path: '/contract/info/{address}' }],
    ['storageWrite', { method: 'POST', path: '/storage/write' }],
    ['serviceAddressCheck', { method: 'POST', path: '/api/service-address/check' }],
    ['updateStorage', { method: 'PATCH', path: '/storage/{key}' }],
    ['readStorage', { path: '/storage', operationId: 'readStorage' }],
  ])('is %s for %j', (id, given) => expect(idsOf(given)).toEqual([id]));

  it('of another spelling of the path is that of the spelling', () =>
    expect(idsOf({ path: '/a/{id}', aliases: ['/b/{id}'], operationId: 'readA' })).toEqual([
      'readA',
      'getB',
    ]));

  it('is not the name of a schema too: clients would have two things of one name', () =>
    expect(() =>
      idsOf({ method: 'POST', path: '/invoice', response: z.object({}).meta({ id: 'Invoice' }) }),
    ).toThrow('an operation and a schema are both named Invoice'));

  it('is not that of two operations', () =>
    expect(() => idsOf({ path: '/a' }, { path: '/a/{id}' })).toThrow(
      'GET /a and GET /a/{id} are both named getA',
    ));
});
