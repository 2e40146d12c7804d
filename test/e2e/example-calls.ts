import { once } from 'node:events';
import { WebSocket } from 'ws';
import { send, type Answer } from './client';

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly example?: unknown;
}
interface Content {
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Json }>>;
  readonly 'x-messages'?: { readonly received?: unknown };
}
export type Documented = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** A request as the page of an operation shows it: the examples of its parameters, and one of its body. */
export interface ExampleCall {
  readonly operationId: string;
  /** Of the example: an action, or its number. */
  readonly name: string;
  readonly method: string;
  /** As it is documented. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly kind: 'response' | 'sse' | 'websocket';
  /** Whether it needs a token. */
  readonly secured: boolean;
  /** Whether a client of the WebSocket may send messages. */
  readonly talks: boolean;
}

/** Every operation with each example of its body. */
export function exampleCallsOf(paths: Documented): ExampleCall[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { operationId, security, parameters, requestBody, responses } = operation;
      const given = (place: Parameter['in']) =>
        Object.fromEntries(
          parameters.flatMap(each =>
            'name' in each && each.in === place && each.example !== undefined
              ? [[each.name, String(each.example)]]
              : [],
          ),
        );
      const call = {
        operationId,
        method: method.toUpperCase(),
        path,
        params: given('path'),
        query: given('query'),
        kind:
          '101' in responses
            ? ('websocket' as const)
            : 'text/event-stream' in (responses['200']?.content ?? {})
              ? ('sse' as const)
              : ('response' as const),
        secured: security.length > 0,
        talks: operation['x-messages']?.received !== undefined,
      };
      const [content] = Object.values(requestBody?.content ?? {});
      const bodies = Object.entries(content?.examples ?? {});
      if (bodies.length === 0) return [{ ...call, name: '1' }];
      return bodies.map(([name, { value }]) => ({ ...call, name, body: value }));
    }),
  );
}

/** Sends the call. Of a stream the answer has the first event, of a WebSocket that talks the answer to a ping. */
export async function callExample(url: string, call: ExampleCall, headers: Readonly<Record<string, string>>) {
  const { path, params, query, method, body, kind } = call;
  const search = new URLSearchParams(query).toString();
  const target =
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) +
    (search && `?${search}`);
  if (kind === 'websocket') return firstMessage(url + target, call.talks);
  if (kind === 'sse') return firstEvent(url + target);
  return send(url, method, target, {
    body:
      body === undefined || typeof body === 'string' ? (body as string | undefined) : JSON.stringify(body),
    headers: { ...headers },
  });
}

async function firstMessage(url: string, talks: boolean): Promise<Answer> {
  const socket = new WebSocket(url.replace('http', 'ws'));
  try {
    await once(socket, 'open');
    const message = once(socket, 'message');
    if (talks) socket.send('{"type":"ping"}');
    const [frame] = (await message) as [Buffer];
    return { status: 101, headers: new Headers(), body: JSON.parse(String(frame)) };
  } finally {
    socket.terminate();
  }
}

async function firstEvent(url: string): Promise<Answer> {
  const leave = new AbortController();
  const { status, headers: received, body } = await fetch(url, { signal: leave.signal });
  const headers = new Headers(received);
  // Every event stream has it, and it is not documented.
  headers.delete('cache-control');
  try {
    let text = '';
    for await (const bytes of body!.pipeThrough(new TextDecoderStream())) {
      text += bytes;
      const [, data] = /^data: ?(\{.*)$/m.exec(text) ?? [];
      if (data !== undefined && text.includes(`${data}\n`))
        return { status, headers, body: JSON.parse(data) };
    }
    return { status, headers, body: text };
  } finally {
    leave.abort();
  }
}

/**
 * Whether an answer shows something: an element of a list, or a text. Whether it was accepted is something where it has neither; a
 * refusal is nothing.
 */
export function showsSomething(body: unknown): boolean {
  if (body === null || body === undefined || body === '') return false;
  if (Array.isArray(body)) return body.length > 0;
  if (typeof body !== 'object') return true;
  if ('ok' in body && body.ok === false) return false;
  const values = Object.values(body);
  if (values.some(value => Array.isArray(value)))
    return values.some(value => typeof value === 'string' || isFilled(value));
  return values.some(showsSomething);
}

const isFilled = (value: unknown): boolean => typeof value === 'object' && showsSomething(value);
