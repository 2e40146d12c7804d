import { ask, type Answer, type Bridge, type RequestOptions } from './request';

/** A message to be posted. */
export interface Outgoing extends Pick<RequestOptions, 'address' | 'headers'> {
  readonly from: string;
  readonly to: string;
  readonly body?: string;
  /** Seconds. */
  readonly ttl?: number;
  /** Parameters besides `client_id`, `to` and `ttl`. */
  readonly query?: Readonly<Record<string, string>>;
}

/** Sends `POST /message` with exactly these parameters. */
export function postWith(
  bridge: Bridge,
  query: Readonly<Record<string, string>>,
  options: Omit<RequestOptions, 'method'> = {},
): Promise<Answer> {
  const url = `${bridge.url}/message?${new URLSearchParams(query).toString()}`;
  return ask(url, { method: 'POST', body: 'message', ...options });
}

/** Sends a message and returns the answer, whatever it is. */
export function tryPost(
  bridge: Bridge,
  { from, to, body = 'message', ttl = 300, query, ...options }: Outgoing,
): Promise<Answer> {
  return postWith(bridge, { client_id: from, to, ttl: String(ttl), ...query }, { body, ...options });
}

/** Sends a message. @throws unless it is acknowledged */
export async function post(bridge: Bridge, message: Outgoing): Promise<void> {
  const { status, text } = await tryPost(bridge, message);
  if (status !== 200) throw new Error(`POST /message answered ${status}: ${text}`);
}
