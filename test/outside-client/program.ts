import { startTidemark, type Settings, type Tidemark } from '../e2e/tidemark';

/** An answer of the HTTP API; untyped, as an outside client reads it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

/** Sends a request as any client may. @throws unless the answer is a 200 */
export async function ask(url: string, body?: object): Promise<Json> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** The program with its local networks, in a folder that keeps both. */
export async function startProgram(dataDir: string, settings: Settings = {}): Promise<Tidemark> {
  return startTidemark({ DATA_DIR: dataDir, LOCAL_TRAFFIC: 'false', ...settings });
}
