import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** Where a bridge is reached, and as whom. */
export interface Bridge {
  /** Without a slash at the end, such as `http://127.0.0.1:3000/tonconnect`. */
  readonly url: string;
  /** Of the process that serves it: where its metrics are. */
  readonly operatorsUrl?: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Address of the caller; by default another one for each request, so that no rate limit is reached. */
  readonly address?: string;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; untyped, as an outside client reads it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

/** An address of the network for documentation and tests of RFC 2544. */
export function randomAddress(): string {
  return `198.18.${randomInt(256)}.${randomInt(1, 255)}`;
}

const connections = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request and resolves with the response as soon as its headers are there. */
export async function open(
  url: string,
  options: RequestOptions = {},
  agent: Agent = connections,
): Promise<IncomingMessage> {
  const { method = 'GET', headers = {}, body, address = randomAddress(), signal } = options;
  const sent = request(url, {
    method,
    agent,
    headers: { 'x-forwarded-for': address, ...headers },
    ...(signal && { signal }),
  });
  sent.end(body);
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    // A server may answer before it has read all of a large body, and close.
    sent.on('error', () => undefined);
    return response;
  } catch (error) {
    // The server closed an idle connection just when it was used again.
    if (sent.reusedSocket) return open(url, options, new Agent());
    throw error;
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The whole answer of a response that ends. */
export async function answerOf(response: IncomingMessage): Promise<Answer> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode!, headers: response.headers, text, json: parsed(text) };
}

/** Sends a request and reads the whole answer. */
export async function ask(url: string, options: RequestOptions = {}): Promise<Answer> {
  return answerOf(await open(url, options));
}
