import type { Express, Request, RequestHandler, Response } from 'express';
import { Problem } from '../../contracts/problem';
import type { Principal } from '../../contracts/principal';
import { WithHeaders, type Binding } from './binding';
import { bodyReader } from './body';
import { IncomingCall } from './incoming-call';
import { send } from './send';
import { Streamed } from './streamed';
import { refuseHostileShape, validate } from './validate';

export interface MountOptions {
  /** Throws a 401 `Problem` when the header does not hold a good token. */
  readonly authenticate: (authorization: string | undefined) => Promise<Principal>;
  /** Holds every answer against its schema: on in tests, off in production. */
  readonly checkResponses: boolean;
}

const DEFAULT_BODY_LIMIT = 64 * 1024;

/** Literal segments are tried before parameters: `/transactions/v3` is not an address. */
const specificity = (path: string): string => path.replace(/\{[^}]+\}/g, '~');

const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Mounts every endpoint under its path and aliases; other methods on a known path answer 405. */
export function mount(app: Express, bindings: readonly Binding[], options: MountOptions): void {
  const paths = new Map<string, Map<string, RequestHandler>>();
  for (const binding of bindings) {
    const { method, path, aliases = [] } = binding.endpoint;
    for (const each of [path, ...aliases]) {
      const methods = paths.get(each) ?? new Map<string, RequestHandler>();
      if (methods.has(method)) throw new Error(`${method} ${each} is bound twice`);
      paths.set(each, methods.set(method, handler(binding, each, options)));
    }
  }
  const sorted = [...paths].sort(([a], [b]) => (specificity(a) < specificity(b) ? -1 : 1));
  for (const [path, methods] of sorted) {
    const route = app.route(expressPath(path));
    for (const [method, handle] of methods) route[method === 'GET' ? 'get' : 'post'](handle);
    route.all(methodNotAllowed([...methods.keys()]));
  }
}

function handler({ endpoint, handle, around }: Binding, path: string, options: MountOptions): RequestHandler {
  const readBody = endpoint.body && bodyReader(endpoint.bodyLimit ?? DEFAULT_BODY_LIMIT);

  const carryOut = async (
    request: Request,
    response: Response,
    call: IncomingCall,
  ): Promise<WithHeaders<unknown>> => {
    if (endpoint.auth === 'bearer') call.principal = await options.authenticate(authorizationOf(request));
    const body = await readBody?.(request, response);
    refuseHostileShape(body);
    call.params = validate(endpoint.params, 'path', request.params);
    call.query = endpoint.query && validate(endpoint.query, 'query', request.query);
    call.body = validate(endpoint.body, 'body', body);
    const result = await handle(call);
    return result instanceof WithHeaders ? result : new WithHeaders(result, {});
  };

  const answer = async (request: Request, response: Response): Promise<void> => {
    const call = new IncomingCall(request, response);
    const answered = await (around
      ? around(call, () => carryOut(request, response, call))
      : carryOut(request, response, call));
    const whole = options.checkResponses ? await gathered(answered) : answered;
    if (options.checkResponses && whole.status === 200) endpoint.response.parse(whole.body);
    if (response.headersSent || response.destroyed) return;
    await send(request, response, whole);
  };

  return (request, response, next) => {
    response.locals.route = path;
    answer(request, response).catch(next);
  };
}

/** To be held against its schema, an answer has to be there. */
const gathered = async ({ body, headers, status }: WithHeaders<unknown>): Promise<WithHeaders<unknown>> =>
  new WithHeaders(body instanceof Streamed ? JSON.parse(await body.text()) : body, headers, status);

/** Two Authorization headers are one too many: Node would drop the second. */
function authorizationOf(request: Request): string | undefined {
  const given = request.headersDistinct['authorization'];
  return given?.length === 1 ? given[0] : undefined;
}

const methodNotAllowed =
  (allowed: readonly string[]): RequestHandler =>
  (_request, response, next) => {
    response.setHeader('Allow', allowed.join(', '));
    next(new Problem(405, 'method_not_allowed', `This path answers ${allowed.join(' and ')}.`));
  };
