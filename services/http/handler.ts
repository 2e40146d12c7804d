import type { Request, Response } from 'express';
import { accessesOf } from '../../contracts/http/endpoint';
import { admission } from './admission';
import type { Binding } from './binding';
import { Reply, type Middleware } from './call';
import { checkProblem, checkReply } from './check-responses';
import { IncomingCall } from './incoming-call';
import type { IncompleteBodies } from './incomplete-bodies';
import { limitFailures } from './limits';
import type { MountOptions } from './mount-options';
import { type Streams, senderOf } from './sender';

type Handle = (request: Request, response: Response) => Promise<void>;

/** Answers the requests of an endpoint: admission, middleware, handler, and the reply as its kind is sent. */
export function handler(
  binding: Binding,
  options: MountOptions,
  bodies: IncompleteBodies,
  streams: Streams,
): Handle {
  const { endpoint, handle } = binding;
  const { kind = 'json', method, path } = endpoint;
  const operation = `${method} ${path}`;
  assertEnforceable(binding, options);
  const admit = admission(endpoint, options, bodies);
  const wrap = middlewareOf(binding, options);
  const send = senderOf(binding, options, streams);

  /** The handler of a WebSocket runs later, on the open connection. */
  const invoke = async (call: IncomingCall): Promise<Reply<unknown>> => {
    const result = kind === 'websocket' ? undefined : await handle(call);
    const {
      body,
      headers,
      status = endpoint.status ?? 200,
    } = result instanceof Reply ? (result as Reply<unknown>) : new Reply(result);
    return new Reply(body, headers, status);
  };

  const respond: Handle = async (request, response) => {
    const call = new IncomingCall(
      request,
      response,
      operation,
      kind === 'sse' || endpoint.longPoll || endpoint.watches ? options.stopping : undefined,
    );
    let action: string | null = null;
    const wrapped = wrap(call, async () => {
      const admitted = await admit(call, request);
      action = admitted.action;
      const { positions, idempotency } = options;
      if (admitted.access.idempotency) {
        const done = await idempotency!(call, () => invoke(call));
        positions?.recorded(call, done);
        return done;
      }
      return positions && admitted.access.minPosition
        ? positions.run(call, () => invoke(call))
        : invoke(call);
    });
    const reply = await answerOf(call, wrapped);
    const sent = options.checkResponses ? await checkReply(endpoint, reply, action) : reply;
    if (!response.headersSent && !response.destroyed) await send(request, response, sent, call);
  };
  if (!options.checkResponses) return respond;
  return (request, response) =>
    respond(request, response).catch((error: unknown) => {
      throw checkProblem(endpoint, error);
    });
}

/** The answer of a call, once all is stored that has to be. @throws what it is refused with; rather what could not be stored */
async function answerOf(call: IncomingCall, wrapped: Promise<Reply<unknown>>): Promise<Reply<unknown>> {
  try {
    return await wrapped;
  } finally {
    await Promise.all(call.beforeAnswer);
  }
}

/** From the outermost: the audit trail, then the limit of failed authentications. */
function middlewareOf({ endpoint, auditSubject }: Binding, { audit, limits }: MountOptions): Middleware {
  const { auth = 'none' } = endpoint;
  const limiting = limits && auth !== 'none' ? limitFailures(limits) : null;
  const auditing = auditSubject ? audit!(auditSubject) : null;
  const inner: Middleware = limiting ?? ((_call, next) => next());
  return auditing ? (call, next) => auditing(call, () => inner(call, next)) : inner;
}

/** @throws Error when the options cannot enforce what the endpoint needs */
function assertEnforceable({ endpoint, auditSubject }: Binding, options: MountOptions): void {
  const { kind = 'json', auth = 'none', method, path } = endpoint;
  const needs = (option: string, needed: unknown): void => {
    if (needed && !(option in options)) throw new Error(`${method} ${path} needs the option ${option}`);
  };
  if (auth !== 'none' && !options.authenticate?.[auth]) needs(`authenticate.${auth}`, true);
  const accesses = accessesOf(endpoint);
  needs(
    'secureSession',
    accesses.some(({ secureSession }) => secureSession),
  );
  needs('limits', endpoint.limitedByAddress || accesses.some(({ rateLimit }) => rateLimit));
  needs(
    'idempotency',
    accesses.some(({ idempotency }) => idempotency),
  );
  needs('audit', auditSubject);
  if (kind !== 'json' && accesses.some(({ idempotency }) => idempotency))
    throw new Error(`${method} ${path}: only kind json can be idempotent`);
  if (kind === 'websocket' && method !== 'GET') throw new Error(`${method} ${path}: a WebSocket is a GET`);
}
