import { z } from 'zod';
import { endpoint } from '../../contracts/http/endpoint';
import { ENDPOINTS } from '../../test/endpoints';
import { openApiDocument } from './openapi';

type Json = Record<string, unknown>;

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' ? [child as string] : refsIn(child),
  );
}

const resolve = (document: unknown, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document);

function expectResolved(document: Json): void {
  const refs = refsIn(document);
  expect(refs.length).toBeGreaterThan(0);
  for (const ref of refs) {
    expect(ref).toMatch(/^#\/components\//);
    expect([ref, typeof resolve(document, ref)]).toEqual([ref, 'object']);
  }
}

type Operation = { responses: Record<string, { content: Json; headers?: Json }>; parameters: Json[] } & Json;
const operationOf = (document: Json, path: string, method = 'get'): Operation =>
  (document['paths'] as Record<string, Record<string, Operation>>)[path]![method]!;

describe('the document of the program', () => {
  const document = openApiDocument(ENDPOINTS);

  it('has no dangling reference', () => expectResolved(document));

  it('contains named schemas once', () => {
    const { schemas } = document['components'] as { schemas: Json };
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'Invoice',
        'Problem',
        'ReportProof',
        'Settlement',
        'SolanaTransaction',
        'TonTransaction',
      ]),
    );
    expect(JSON.stringify(document).match(/"contentHash"/g)!.length).toBeLessThanOrEqual(4);
  });

  it('has an example of every problem code, by status', () => {
    const { responses } = operationOf(document, '/api/instance-admin', 'post');
    const examplesOf = (status: number) =>
      Object.keys((responses[status]!.content['application/problem+json'] as { examples: Json }).examples);
    expect(examplesOf(404)).toEqual(['invoice_not_found', 'settlement_not_found']);
    expect(examplesOf(401).sort()).toEqual(['secure_session_required', 'unauthenticated']);
    expect(examplesOf(429)).toEqual(['rate_limited']);
    expect(responses['429']!.headers).toHaveProperty('Retry-After');
  });

  it('has the headers and the security scheme of an endpoint', () => {
    const { parameters, responses, security } = operationOf(document, '/api/instance-admin', 'post');
    expect(parameters.map(({ name }) => name)).toEqual(['Idempotency-Key', 'X-Min-Position']);
    expect(Object.keys(responses['200']!.headers!)).toEqual(
      expect.arrayContaining(['X-Ledger-Position', 'X-Ledger-Head', 'Idempotent-Replayed', 'RateLimit']),
    );
    expect(security).toEqual([{ bearer: [] }]);
    expect(document['components']).toHaveProperty('securitySchemes.bearer.scheme', 'bearer');
  });
});

describe('schemas', () => {
  const common = { group: 'Toy', summary: 'Toy' };
  const tree: z.ZodType = z.object({ children: z.lazy(() => z.array(tree)) }).meta({ id: 'Tree' });
  const money = z.object({ amount: z.string().default('0') }).meta({ id: 'Money' });
  const document = openApiDocument([
    endpoint({ ...common, method: 'GET', path: '/tree', response: tree }),
    endpoint({ ...common, method: 'GET', path: '/json', response: z.object({ any: z.json() }) }),
    endpoint({ ...common, method: 'GET', path: '/other', response: z.object({ any: z.json() }) }),
    endpoint({ ...common, method: 'POST', path: '/money', body: money, response: money }),
    endpoint({ ...common, method: 'DELETE', path: '/money', status: 204, auth: 'bearer' }),
    endpoint({ ...common, method: 'GET', path: '/events', kind: 'sse', response: money }),
    endpoint({ ...common, method: 'GET', path: '/socket', kind: 'websocket', body: money, response: money }),
    endpoint({ ...common, method: 'GET', path: '/image', kind: 'raw', contentType: 'image/png' }),
    endpoint({ ...common, method: 'POST', path: '/rpc', kind: 'proxy' }),
  ]);

  it('may refer to themselves', () => expectResolved(document));

  it('of requests and responses have different names where they differ', () => {
    const { schemas } = document['components'] as { schemas: Record<string, Json> };
    expect(schemas['Money']).toHaveProperty('required', ['amount']);
    expect(schemas['MoneyInput']).not.toHaveProperty('required');
  });

  it.each([
    ['/events', '200', 'text/event-stream'],
    ['/image', '200', 'image/png'],
  ])('%s is documented as %s %s', (path, status, type) =>
    expect(Object.keys(operationOf(document, path).responses[status]!.content)).toEqual([type]),
  );

  it('of a WebSocket are those of its messages, with a 101', () => {
    const { responses, ...operation } = operationOf(document, '/socket');
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['101', '426']));
    expect(operation['x-messages']).toEqual({
      received: { $ref: '#/components/schemas/MoneyInput' },
      sent: { $ref: '#/components/schemas/Money' },
    });
    expect(operation).not.toHaveProperty('requestBody');
  });

  it('are absent from a response without content', () =>
    expect(operationOf(document, '/money', 'delete').responses['204']).toEqual({ description: 'OK' }));
});
