import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { Problem } from '../../contracts/problem';
import type { Principal } from '../../contracts/principal';
import { WithHeaders, type Binding } from './binding';
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
  const routes = bindings
    .flatMap(binding =>
      [binding.endpoint.path, ...(binding.endpoint.aliases ?? [])].map(path => ({ path, binding })),
    )
    .sort((a, b) => (specificity(a.path) < specificity(b.path) ? -1 : 1));
  const methods = new Map<string, Set<string>>();
  for (const { path, binding } of routes) {
    const known = methods.get(path) ?? new Set();
    if (known.has(binding.endpoint.method))
      throw new Error(`${binding.endpoint.method} ${path} is bound twice`);
    methods.set(path, known.add(binding.endpoint.method));
  }
  for (const { path, binding } of routes) {
    const method = binding.endpoint.method === 'GET' ? 'get' : 'post';
    app[method](expressPath(path), ...handlers(binding, path, options));
  }
  for (const [path, allowed] of methods) app.all(expressPath(path), methodNotAllowed([...allowed]));
}

function handlers({ endpoint, handle }: Binding, path: string, options: MountOptions): RequestHandler[] {
  const parse = express.json({
    limit: endpoint.bodyLimit ?? DEFAULT_BODY_LIMIT,
    strict: false,
    type: () => true,
  });

  const authenticate: RequestHandler = (request, response, next) => {
    response.locals.route = path;
    if (endpoint.auth !== 'bearer') return next();
    options.authenticate(authorizationOf(request)).then(principal => {
      response.locals.principal = principal;
      next();
    }, next);
  };

  const read: RequestHandler = (request, response, next) => {
    if (!endpoint.body) return next();
    const type = request.headers['content-type'];
    if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
      return next(new Problem(415, 'unsupported_media_type', 'Send the body as application/json.'));
    }
    parse(request, response, next);
  };

  const answer = async (request: Request, response: Response): Promise<void> => {
    if (endpoint.body) refuseHostileShape(request.body);
    const result = await handle({
      params: validate(endpoint.params, 'path', request.params),
      query: validate(endpoint.query, 'query', request.query),
      body: validate(endpoint.body, 'body', request.body),
      requestId: response.locals.requestId as string,
      ip: request.ip ?? '',
      header: name => request.get(name),
      principal: (response.locals.principal as Principal | undefined) ?? null,
      signal: gone(response),
    });
    const { body, headers } = result instanceof WithHeaders ? result : { body: result, headers: {} };
    if (options.checkResponses) endpoint.response.parse(body);
    if (response.headersSent || response.destroyed) return;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(JSON.stringify(body));
  };

  return [
    authenticate,
    read,
    (request: Request, response: Response, next: NextFunction) => void answer(request, response).catch(next),
  ];
}

/** Two Authorization headers are joined by Node only for some names; here the raw list decides. */
function authorizationOf(request: Request): string | undefined {
  const given = request.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization',
  );
  return given.length === 1 ? request.headers.authorization : undefined;
}

function gone(response: Response): AbortSignal {
  const controller = new AbortController();
  // A connection also closes after an answer, when there is nobody left to be told.
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

const methodNotAllowed =
  (allowed: readonly string[]): RequestHandler =>
  (_request, response, next) => {
    response.setHeader('Allow', allowed.join(', '));
    next(new Problem(405, 'method_not_allowed', `This path answers ${allowed.join(' and ')}.`));
  };
