import * as apps from '../../contracts/http/catalog/apps';
import { instanceAdmin, recordFees } from '../../contracts/http/billing/billing';
import * as clientErrors from '../../contracts/http/client-errors';
import * as connect from '../../contracts/http/connect/connect';
import { errorsOf, type Endpoint } from '../../contracts/http/endpoint';
import * as exchange from '../../contracts/http/exchange/orders';
import * as exchangeMarket from '../../contracts/http/exchange/market';
import * as exchangePages from '../../contracts/http/exchange/pages';
import * as history from '../../contracts/http/history/history';
import * as push from '../../contracts/http/push';
import * as rates from '../../contracts/http/rates';
import * as serviceAddresses from '../../contracts/http/catalog/service-addresses';
import * as solana from '../../contracts/http/solana/solana';
import * as storage from '../../contracts/http/storage';
import * as mintless from '../../contracts/http/tokens/mintless';
import * as tokens from '../../contracts/http/tokens/tokens';
import * as ton from '../../contracts/http/ton/ton';
import * as tonRpc from '../../contracts/http/ton/rpc';
import * as walletRequests from '../../contracts/http/connect/wallet-requests';
import { problemSchema, type ProblemDocument } from '../../contracts/problem/problem';
import { until } from '../until';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'response' in value;

const ENDPOINTS: readonly Endpoint[] = [
  instanceAdmin,
  recordFees,
  ...[
    clientErrors,
    history,
    connect,
    exchange,
    exchangeMarket,
    exchangePages,
    serviceAddresses,
    solana,
    storage,
    mintless,
    tokens,
    push,
    rates,
    apps,
    ton,
    tonRpc,
    walletRequests,
  ]
    .flatMap(group => Object.values(group) as unknown[])
    .filter(isEndpoint),
];

const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** The endpoint that a path reaches: one with literal segments before one with parameters. */
export function endpointOf(method: string, path: string): Endpoint {
  const [found] = ENDPOINTS.filter(
    endpoint =>
      endpoint.method === method &&
      [endpoint.path, ...(endpoint.aliases ?? [])].some(each => pattern(each).test(path)),
  ).sort((a, b) => a.path.split('{').length - b.path.split('{').length);
  if (!found) throw new Error(`no contract has ${method} ${path}`);
  return found;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; untyped, since `call` has compared it with the contract. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly token?: string;
  /** `X-Min-Position` */
  readonly after?: string | null;
}

/** A request and its answer. */
export interface Exchange extends Answer {
  readonly url: string;
  readonly method: string;
  readonly path: string;
}

let observer: ((exchange: Exchange) => void) | undefined;

/** Shows every further exchange of this file's tests. */
export function observeExchanges(observe: (exchange: Exchange) => void): void {
  observer = observe;
}

export async function send(
  url: string,
  method: string,
  path: string,
  init: { readonly body?: string | Buffer | undefined; readonly headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(init.body !== undefined && { body: init.body }),
    headers: { 'content-type': 'application/json', ...init.headers },
  });
  const text = await response.text();
  const json = /[/+]json/.test(response.headers.get('content-type') ?? '');
  const { status, headers: received } = response;
  const answer: Answer = { status, headers: received, body: json ? JSON.parse(text) : text };
  observer?.({ ...answer, url, method, path });
  return answer;
}

export function expectProblem({ status, headers, body }: Answer): ProblemDocument {
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = problemSchema.parse(body);
  expect(problem).toMatchObject({ status, requestId: headers.get('x-request-id') });
  return problem;
}

/** Sends a request, and compares the response with the contract of the endpoint. */
export async function call(
  url: string,
  method: 'GET' | 'POST',
  path: string,
  { body, token, after }: CallOptions = {},
): Promise<Answer> {
  const endpoint = endpointOf(method, path.split('?')[0]!);
  const answer = await send(url, method, path, {
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(after && { 'x-min-position': after }),
    },
  });
  if (answer.status === 200) endpoint.response!.parse(answer.body);
  else expect([...errorsOf(endpoint)]).toContain(expectProblem(answer).code);
  return answer;
}

/** As `call`, and again while the answer is 503: the program itself waits a few seconds for documents or a partner. */
export function callUntilReady(...request: Parameters<typeof call>): Promise<Answer> {
  return until(
    () => call(...request),
    ({ status }) => status !== 503,
  );
}
