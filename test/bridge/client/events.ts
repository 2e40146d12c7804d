import { Agent, type IncomingHttpHeaders } from 'node:http';
import { answerOf, open, type Answer, type Bridge, type RequestOptions } from './request';
import { frameParser, type Frame } from './frames';

/** What the bridge delivers of a message. */
export interface Delivered {
  readonly id: number;
  readonly from: string;
  readonly message: string;
  readonly trace_id?: string;
  readonly request_source?: string;
}

export interface EventsOptions extends RequestOptions {
  /** Parameters besides `client_id`. */
  readonly query?: Readonly<Record<string, string>>;
}

/** A connection to `GET /events`. */
export interface Reader {
  readonly headers: IncomingHttpHeaders;
  /** All that came, heartbeats included, in order. */
  readonly frames: readonly Frame[];
  /** The messages that came, in order; who takes them out sees them once. */
  readonly messages: Delivered[];
  /** Whether the connection has ended, by either side. */
  readonly isOver: boolean;
  /** Reads no more until `resume`, as a client that is suspended. */
  pause(): void;
  resume(): void;
  /** Ends the connection. */
  close(): void;
}

export function eventsUrl(bridge: Bridge, ids: string | readonly string[], query = {}): string {
  return `${bridge.url}/events?${new URLSearchParams({ client_id: [ids].flat().join(','), ...query }).toString()}`;
}

/** Whether a frame carries a message of a client, not one of the bridge itself. */
const carriesMessage = ({ event, id, data }: Frame): boolean =>
  event === 'message' && id !== undefined && data !== undefined;

const delivered = ({ id, data }: Frame): Delivered => ({
  ...(JSON.parse(data!) as Omit<Delivered, 'id'>),
  id: Number(id),
});

/** Subscribes to the messages of one or more clients. @throws unless the answer is a stream */
export async function openEvents(
  bridge: Bridge,
  ids: string | readonly string[],
  { query = {}, ...options }: EventsOptions = {},
): Promise<Reader> {
  const agent = new Agent();
  const response = await open(eventsUrl(bridge, ids, query), options, agent);
  if (response.statusCode !== 200) {
    const { status, text } = await answerOf(response);
    throw new Error(`GET /events answered ${status}: ${text}`);
  }
  const frames: Frame[] = [];
  const messages: Delivered[] = [];
  let isOver = false;
  const parse = frameParser(frame => {
    frames.push(frame);
    if (carriesMessage(frame)) messages.push(delivered(frame));
  });
  response
    .setEncoding('utf8')
    .on('data', parse)
    .on('error', () => undefined)
    .on('close', () => (isOver = true));
  return {
    headers: response.headers,
    frames,
    messages,
    get isOver() {
      return isOver;
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => response.destroy(),
  };
}

/** The answer to any `GET /events`; of one that is accepted without the stream. */
export async function answerToEvents(
  bridge: Bridge,
  query: Readonly<Record<string, string>>,
  options: RequestOptions = {},
): Promise<Answer> {
  const url = `${bridge.url}/events?${new URLSearchParams(query).toString()}`;
  const response = await open(url, options, new Agent());
  if (response.statusCode !== 200) return answerOf(response);
  response.destroy();
  return { status: 200, headers: response.headers, text: '', json: undefined };
}
