import { setTimeout as sleep } from 'node:timers/promises';
import { startTidemark, type Settings, type Tidemark } from '../e2e/tidemark';

/** An answer of the HTTP API; untyped, as an outside client reads it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

/**
 * Sends a request as any client may, again for as long as the answer is a 503.
 * @throws unless the answer is a 200, at once when no program listens
 */
export async function ask(
  url: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const deadline = performance.now() + 120_000;
  let [response, text] = await answerOf(url, body, headers);
  while (response.status === 503 && performance.now() < deadline) {
    await sleep(200);
    [response, text] = await answerOf(url, body, headers);
  }
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

async function answerOf(
  url: string,
  body: object | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<[Response, string]> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return [response, await response.text()];
}

/** The program with its local networks, in a folder that keeps both. */
export async function startProgram(dataDir: string, settings: Settings = {}): Promise<Tidemark> {
  return startTidemark({ DATA_DIR: dataDir, LOCAL_TRAFFIC: 'false', ...settings });
}
