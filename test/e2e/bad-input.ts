import SwaggerParser from '@apidevtools/swagger-parser';
import { Address } from '@ton/core';
import { isSolanaAddress } from '../../contracts/account/address';
import { call, expectProblem, send, type Answer } from './client';
import { EXAMPLES, type Example } from './examples';
import { fee, type Installation } from './installation';
import {
  pathOf,
  fieldPathsOf,
  withValue,
  WRONG_BODIES,
  wrongPathValuesOf,
  wrongQueriesOf,
  WRONG_VALUES,
  type Schema,
} from './malformed-requests';
import { sampled } from '../random';

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: 'path' | 'query' }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}
type Documented = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

function expectRefused(answer: Answer, statuses: readonly number[], pointer?: string): void {
  expect(statuses).toContain(answer.status);
  expectProblem(answer);
  if (pointer === undefined) return;
  const { errors } = answer.body as { errors?: { pointer: string }[] };
  expect(errors?.map(each => each.pointer)).toContainEqual(expect.stringContaining(pointer));
}

const takesSolanaAddress = (path: string): boolean =>
  path.startsWith('/solana/') || path === '/contract/info/{address}';

/** Checks all, a few at a time; errors name the request. */
async function each<T>(cases: readonly T[], check: (one: T) => Promise<void>): Promise<void> {
  const left = [...cases];
  const worker = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const one = next;
      await check(one).catch((error: unknown) => {
        throw new Error(`${JSON.stringify(one)?.slice(0, 400)}\n${(error as Error).message}`);
      });
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}

function nameOf({ method, path, body }: Example): string {
  const { action, fees } = (body ?? {}) as { action?: string; fees?: { action: string }[] };
  return [method, path, action ?? fees?.[0]?.action].filter(Boolean).join(' ');
}

export function badInput(main: Installation): void {
  let documented: Documented;
  let ledgerBefore: unknown;

  const read = async (action: string): Promise<unknown> => (await main.act({ action })).body as unknown;
  const ledger = (): Promise<unknown[]> =>
    Promise.all(['get_revenue', 'list_fee_ledger', 'list_invoices', 'list_settlements'].map(read));

  beforeAll(async () => {
    const { body } = await send(main.program.url, 'GET', '/openapi.json');
    const { paths } = await SwaggerParser.dereference(body);
    documented = paths as Documented;
    const after = await main.record([fee('there-before')]);
    await main.act({ action: 'get_revenue' }, { after });
    ledgerBefore = await ledger();
  });

  const operationOf = ({ path, method }: Example): Operation => documented[path]![method.toLowerCase()]!;

  const ask = (example: Example, path: string, body: string | Buffer | undefined): Promise<Answer> =>
    send(main.program.url, example.method, path, {
      body,
      headers: { authorization: `Bearer ${main.token}` },
    });

  it('has an example of every documented endpoint', () => {
    // Health takes no input.
    const endpoints = Object.entries(documented).filter(([path]) => !path.startsWith('/health/'));
    const operations = endpoints.flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    );
    const shown = EXAMPLES.flatMap(({ method, path, aliases }) =>
      [path, ...aliases].map(each => `${method} ${each}`),
    );
    expect([...new Set(shown)].sort()).toEqual(operations.sort());
  });

  describe.each(EXAMPLES.map(example => [nameOf(example), example] as const))('%s', (_, example) => {
    const text = typeof example.body === 'object' ? JSON.stringify(example.body) : example.body;

    const { params, query, endpoint } = example;
    // Nobody has the token of an example here, nor the secret of an issuer.
    const isUnknown = (['card_token_invalid', 'card_webhook_refused'] as const).some(code =>
      endpoint.errors?.includes(code),
    );
    const unknown = isUnknown ? [401] : [];

    // An event stream does not end.
    if (!example.writes && example.kind !== 'sse')
      it('accepts the example as it is', async () => {
        const search = query ? `?${new URLSearchParams(query).toString()}` : '';
        const { status, headers, body } = await ask(example, pathOf(example) + search, text);
        // What an example is about need not exist, nor be read from its chain yet, and no account takes an unsigned message.
        // A WebSocket is refused only as such. Signatures have expired, and those of transactions are of no chain here.
        // Clients of TonAPI are refused a gasless transfer with a 400, also one that is not signed.
        if (status === 400 && body.code !== 'gasless_refused')
          expect(body).toMatchObject({ errors: [{ code: 'unknown_signature' }] });
        else expect([200, 400, 403, 404, 422, 426, 503, ...unknown]).toContain(status);
        if (status === 503) expect(headers.get('retry-after')).not.toBeNull();
      });

    if (params)
      it('refuses a wrong value of each path parameter', () =>
        each(
          Object.keys(params).flatMap(name =>
            wrongPathValuesOf(example, name)
              // What is an address of the other chain for most endpoints.
              .filter(value => !(takesSolanaAddress(example.path) && isSolanaAddress(value)))
              .map(value => ({ name, value })),
          ),
          async ({ name, value }) =>
            expectRefused(await ask(example, pathOf(example, { [name]: value }), text), [400, 404]),
        ));

    if (query)
      it('refuses a wrong value of each query parameter, and names it', async () => {
        const names = operationOf(example)
          .parameters.filter(parameter => parameter.in === 'query')
          .map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining(Object.keys(query)));
        await each(
          names.flatMap(name => wrongQueriesOf(example, name).map(wrong => ({ name, wrong }))),
          async ({ name, wrong }) =>
            expectRefused(await ask(example, `${pathOf(example)}?${wrong}`, text), [400], `/query/${name}`),
        );
      });

    // Text is not JSON of any shape.
    if (typeof example.body !== 'object') return;

    it('refuses malformed bodies', () =>
      each(WRONG_BODIES, async ([, body, statuses]) =>
        expectRefused(await ask(example, pathOf(example), body), statuses),
      ));

    it('refuses other media types and charsets', () =>
      each(
        ['text/plain', 'application/json; charset=utf-7', 'application/json; charset=utf-16'],
        async type => {
          const headers = { authorization: `Bearer ${main.token}`, 'content-type': type };
          expectRefused(
            await send(main.program.url, 'POST', pathOf(example), { body: text, headers }),
            [415],
          );
        },
      ));

    it('refuses a wrong value of each field, and names it', async () => {
      const { schema } = operationOf(example).requestBody!.content['application/json'];
      const contract = endpoint.body!;
      const cases = fieldPathsOf(schema, example.body).flatMap(place =>
        WRONG_VALUES.map(value => ({ place, body: withValue(example.body, place, value) })),
      );
      await each(sampled(cases, 0.2), async ({ place, body }) => {
        const legal = contract.safeParse(body).success;
        if (legal && example.writes) return;
        const answer = await ask(example, pathOf(example), JSON.stringify(body));
        if (!legal) return expectRefused(answer, [400], `/body/${place[0]}`);
        if (answer.status !== 200) expectRefused(answer, [400, 403, 404, 409, 422, 503, ...unknown]);
      });
    });
  });

  it('refuses a testnet address on mainnet', async () => {
    const address = new Address(0, Buffer.alloc(32, 7)).toString({ testOnly: true });
    const network = 'mainnet';
    const account = { tonAddress: address, solanaAddress: '' };
    const asked = [
      ['GET', `/transactions/${address}?network=${network}`, undefined],
      ['GET', `/transactions/v2/${address}?network=${network}`, undefined],
      ['POST', `/transactions/${address}`, { network }],
      ['POST', `/transactions/v2/${address}`, { network }],
      ['POST', '/transactions/v3', { account, network }],
    ] as const;
    for (const [method, path, body] of asked) {
      const answer = await send(main.program.url, method, path, { body: body && JSON.stringify(body) });
      expectRefused(answer, [400], '/network');
      expect(answer.body).toMatchObject({ code: 'network_mismatch' });
    }
  });

  it('refuses dates out of order, and pages and months that do not exist', async () => {
    const asked = [
      [{ action: 'get_revenue', dateFrom: '2026-02-01', dateTo: '2026-01-01' }, '/body/dateFrom'],
      [{ action: 'export_revenue_csv', dateTo: '2026-02-29' }, '/body/dateTo'],
      [{ action: 'list_fee_ledger', page: 0 }, '/body/page'],
      [{ action: 'list_fee_ledger', pageSize: 201 }, '/body/pageSize'],
      [{ action: 'list_invoices', page: 2 ** 53 }, '/body/page'],
      [{ action: 'generate_invoice', billingPeriod: '2026-00' }, '/body/billingPeriod'],
      [{ action: 'delete_everything' }, '/body/action'],
      [{ action: 'toString' }, '/body/action'],
    ] as const;
    for (const [body, pointer] of asked)
      expectRefused(
        await call(main.program.url, 'POST', '/api/instance-admin', { token: main.token, body }),
        [400],
        pointer,
      );
  });

  it.each(['', 'Bearer', 'Bearer x.y.z', 'Basic YTpi', `Bearer ${'x'.repeat(10_000)}`])(
    'refuses the credentials %p',
    async authorization => {
      for (const path of ['/api/instance-admin', '/api/fees'])
        expectRefused(
          await send(main.program.url, 'POST', path, { body: '{}', headers: { authorization } }),
          [401],
        );
    },
  );

  it('answers 404 to an unknown path and 405 to an unknown method', async () => {
    expectRefused(await send(main.program.url, 'GET', '/nothing/here'), [404]);
    for (const { path } of EXAMPLES) {
      const called = path.replace(/\{\w+\}/g, 'mainnet');
      expectRefused(await send(main.program.url, 'DELETE', called), [405]);
    }
  });

  it('leaves the ledger unchanged', async () => {
    expect((await send(main.program.url, 'GET', '/health/ready')).status).toBe(200);
    expect(await ledger()).toEqual(ledgerBefore);
    expect(main.program.output()).not.toMatch(/"msg":"request failed"/);
  });
}
