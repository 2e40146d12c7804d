import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** How a call goes wrong. Those that are `taken` have sent their messages before. */
export type ExpoFault =
  | { readonly status: number; readonly body?: unknown; readonly isTaken?: boolean }
  /** The connection is closed without an answer. */
  | { readonly drop: true; readonly isTaken: boolean }
  /** The answer never ends: a byte of it comes each so many milliseconds. */
  | { readonly bytesEachMs: number }
  /** The messages are sent at once, and the call is answered later. */
  | { readonly delayMs: number };

/** What the device of a token says; default: it takes everything. */
export type DeviceBehaviour =
  | 'DeviceNotRegistered'
  | 'MessageTooBig'
  | 'MessageRateExceeded'
  | 'InvalidCredentials'
  /** Taken, and then not delivered for that reason. */
  | { readonly receipt: 'DeviceNotRegistered' | 'MessageRateExceeded' | 'none' };

export interface ExpoDouble {
  readonly url: string;
  /** Messages that were sent, by token. */
  readonly sent: Map<string, { readonly title: string; readonly body: string; readonly data: unknown }[]>;
  /** Calls, with the number of their messages. */
  readonly calls: {
    readonly path: string;
    readonly messages: number;
    readonly authorization: string | undefined;
  }[];
  /** By token. */
  readonly devices: Map<string, DeviceBehaviour>;
  /** By token; default: all are of one. */
  readonly projects: Map<string, string>;
  /** The next calls go wrong, in this order. */
  readonly faults: ExpoFault[];
  /** Every call is answered so late. */
  delayMs: number;
  /** Receipts are there from now on; default true. */
  hasReceipts: boolean;
  close(): Promise<void>;
}

interface Message {
  readonly to: string;
  readonly title: string;
  readonly body: string;
  readonly data: unknown;
}

const MAX_MESSAGES = 100;

/**
 * A double of Expo's push service, after https://docs.expo.dev/push-notifications/sending-notifications/: tickets, errors of
 * single messages and of whole calls, and receipts. It counts what each device gets; nothing is sent.
 */
export async function startExpoDouble({ port = 0 } = {}): Promise<ExpoDouble> {
  const tickets = new Map<string, string>();
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const path = (request.url ?? '').replace('/--/api/v2/push', '');
    const messages = Array.isArray(body) ? body.length : 0;
    double.calls.push({ path, messages, authorization: request.headers.authorization });
    const fault = double.faults.shift();
    const answer =
      path === '/send' ? send(body as Message[], fault) : receipts((body as { ids: string[] }).ids);
    const delayMs = fault && 'delayMs' in fault ? fault.delayMs : double.delayMs;
    if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs).unref());
    if (fault && 'drop' in fault) return void response.destroy();
    if (fault && 'bytesEachMs' in fault) {
      response.writeHead(200, { 'content-type': 'application/json' });
      const sending = setInterval(() => response.write(' '), fault.bytesEachMs);
      return void response.once('close', () => clearInterval(sending));
    }
    const { status, body: failure } =
      fault && 'status' in fault
        ? { body: undefined, ...fault }
        : { status: answer.status, body: answer.body };
    const text = typeof failure === 'string' ? failure : JSON.stringify(failure ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }

  function send(
    messages: readonly Message[],
    fault: ExpoFault | undefined,
  ): { status: number; body: unknown } {
    if (messages.length > MAX_MESSAGES)
      return refused('PUSH_TOO_MANY_NOTIFICATIONS', 'At most 100 at a time.');
    const projects: Record<string, string[]> = {};
    for (const { to } of messages) (projects[double.projects.get(to) ?? '@ours/wallet'] ??= []).push(to);
    if (Object.keys(projects).length > 1)
      return refused('PUSH_TOO_MANY_EXPERIENCE_IDS', 'All must be of one project.', projects);
    const wrong = messages.findIndex(({ to }) => !/^(Expo(nent)?PushToken\[[^\]]+\]|[a-z\d-]{36})$/.test(to));
    if (wrong >= 0)
      return refused('VALIDATION_ERROR', `"[${wrong}].to" is no push token: ${messages[wrong]!.to}`);
    if (fault && ('status' in fault || 'drop' in fault) && !fault.isTaken) return { status: 500, body: '' };
    return { status: 200, body: { data: messages.map(ticketOf) } };
  }

  function ticketOf(message: Message) {
    const { to } = message;
    const behaviour = double.devices.get(to);
    if (typeof behaviour === 'string') return failed(behaviour, to);
    const { title, body, data } = message;
    double.sent.set(to, [...(double.sent.get(to) ?? []), { title, body, data }]);
    const id = randomUUID();
    tickets.set(id, to);
    return { status: 'ok', id };
  }

  function receipts(ids: readonly string[]): { status: number; body: unknown } {
    const known = ids.flatMap(id => {
      const to = tickets.get(id);
      const behaviour = to === undefined ? undefined : double.devices.get(to);
      const fate = typeof behaviour === 'object' ? behaviour.receipt : undefined;
      if (to === undefined || !double.hasReceipts || fate === 'none') return [];
      return [[id, fate ? failed(fate, to) : { status: 'ok' }] as const];
    });
    return { status: 200, body: { data: Object.fromEntries(known) } };
  }

  const double: ExpoDouble = {
    url: '',
    sent: new Map(),
    calls: [],
    devices: new Map(),
    projects: new Map(),
    faults: [],
    delayMs: 0,
    hasReceipts: true,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(double, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

const failed = (error: string, token: string) => ({
  status: 'error',
  message: `"${token}" is not a registered push notification recipient`,
  details: { error, expoPushToken: token },
});

const refused = (code: string, message: string, details?: unknown) => ({
  status: 400,
  body: { errors: [{ code, message, details, isTransient: false }] },
});

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  return JSON.parse(text.toString()) as unknown;
}
