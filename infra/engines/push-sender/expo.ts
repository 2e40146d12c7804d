import type { ExpoPushMessage } from 'expo-server-sdk' with { 'resolution-mode': 'import' };
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { z } from 'zod';
import { messageOf } from '../../../contracts/text/error-message';
import type {
  PushMessage,
  PushOutcome,
  PushReceipt,
  PushRejection,
  PushSender,
} from '../../../contracts/ports/push-sender';
import { isNotConnected } from '../not-connected';

export interface ExpoOptions {
  /** Origin of the push service; default `https://exp.host`. */
  readonly url: string;
  /** Needed where the project has enhanced security. */
  readonly accessToken?: string | undefined;
  readonly clock: () => Date;
  /** Called after each request. */
  readonly onRequest?: (request: ExpoRequest) => void;
  /** Of one request; default 15,000. */
  readonly timeoutMs?: number;
  /** Before a call is repeated that was too many; default: that of the SDK, a second. */
  readonly retryMinTimeoutMs?: number;
}

export interface ExpoRequest {
  readonly method: 'send' | 'receipts';
  readonly outcome: 'answered' | 'failed';
  readonly seconds: number;
}

const TIMEOUT_MS = 15_000;
const REQUESTS_AT_A_TIME = 6;
/** Several times the tickets of a hundred messages, or three hundred receipts. */
const MAX_RESPONSE_BYTES = 1_048_576;

/**
 * Expo's push service, by its SDK: https://docs.expo.dev/push-notifications/sending-notifications/. The SDK repeats what was
 * too many requests (429), of which nothing was sent, and nothing else.
 */
export async function openExpo(options: ExpoOptions): Promise<PushSender> {
  const { url, accessToken, clock, onRequest, timeoutMs = TIMEOUT_MS, retryMinTimeoutMs } = options;
  const sdk = await import('expo-server-sdk');
  const agent = new Agent({
    connect: connectFor(timeoutMs),
    headersTimeout: timeoutMs,
    maxResponseSize: MAX_RESPONSE_BYTES,
    // A connection that is reused may be closed by the other side as the request is sent: nobody knows then whether it arrived.
    pipelining: 0,
  });
  const expo = new sdk.Expo({
    httpAgent: toOrigin(agent, url),
    maxConcurrentRequests: REQUESTS_AT_A_TIME,
    ...(accessToken !== undefined && { accessToken }),
    ...(retryMinTimeoutMs !== undefined && { retryMinTimeout: retryMinTimeoutMs }),
  });

  const measured = async <T>(method: ExpoRequest['method'], request: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const report = (outcome: ExpoRequest['outcome']): void =>
      onRequest?.({ method, outcome, seconds: (performance.now() - start) / 1_000 });
    try {
      const answer = await request();
      report('answered');
      return answer;
    } catch (error) {
      report('failed');
      throw error;
    }
  };

  return {
    isOutbox: false,
    send: messages =>
      sendAll(
        batch => measured('send', () => expo.sendPushNotificationsAsync([...batch])),
        messages.map(message => expoMessage(message, clock())),
      ),
    async receipts(tickets) {
      const receipts = await measured('receipts', () => expo.getPushNotificationReceiptsAsync([...tickets]));
      return new Map(
        Object.entries(receipts).flatMap(([ticket, receipt]) => {
          const read = expoReceipt.safeParse(receipt);
          return read.success ? [[ticket, receiptOf(read.data)] as const] : [];
        }),
      );
    },
    close: () => agent.destroy(),
  };
}

/** A connection has one request. It ends when the answer is not complete in time, also when that comes byte by byte. */
function connectFor(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs });
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      const deadline = setTimeout(() => socket.destroy(new Error('no answer in time')), timeoutMs);
      socket.once('close', () => clearTimeout(deadline));
      callback(null, socket);
    });
}

/** The SDK has one address of the service for the whole process. */
function toOrigin(agent: Agent, url: string): Dispatcher {
  const origin = new URL(url).origin;
  return agent.compose(dispatch => (request, handler) => dispatch({ ...request, origin }, handler));
}

function expoMessage({ to, title, body, data, expiresAt }: PushMessage, now: Date): ExpoPushMessage {
  const ttl = Math.max(1, Math.ceil((expiresAt - now.getTime()) / 1_000));
  return { to, title, body, data, ttl, priority: 'high', sound: 'default', channelId: 'default' };
}

type SendBatch = (batch: readonly ExpoPushMessage[]) => Promise<readonly unknown[]>;

/**
 * Tokens of several projects, or one message that Expo does not accept, have the whole call refused, and anybody can register
 * any token: such a call is made again in parts, of which those without the fault succeed.
 */
async function sendAll(send: SendBatch, messages: readonly ExpoPushMessage[]): Promise<PushOutcome[]> {
  try {
    return (await send(messages)).map(outcomeOf);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.type !== 'refused') return messages.map(() => failure);
    if (messages.length === 1) return [{ type: 'rejected', reason: 'other', message: failure.message }];
    const outcomes = new Map<ExpoPushMessage, PushOutcome>();
    for (const part of partsOf(messages, failure.projects))
      (await sendAll(send, part)).forEach((outcome, i) => outcomes.set(part[i]!, outcome));
    return messages.map(message => outcomes.get(message)!);
  }
}

/** The messages of each project where Expo has named them, else halves. */
function partsOf(messages: readonly ExpoPushMessage[], projects: unknown): ExpoPushMessage[][] {
  const tokens = tokensByProject.safeParse(projects).data ?? {};
  const projectOf = new Map(Object.entries(tokens).flatMap(([name, of]) => of.map(token => [token, name])));
  const parts = new Map<string, ExpoPushMessage[]>();
  for (const message of messages) {
    const project = projectOf.get(message.to as string) ?? '';
    parts.set(project, [...(parts.get(project) ?? []), message]);
  }
  if (parts.size > 1) return [...parts.values()];
  const half = Math.ceil(messages.length / 2);
  return [messages.slice(0, half), messages.slice(half)];
}

/** The details of `PUSH_TOO_MANY_EXPERIENCE_IDS`. */
const tokensByProject = z.record(z.string(), z.array(z.string()));

const expoError = z.object({
  status: z.literal('error'),
  message: z.string().catch(''),
  details: z.object({ error: z.string() }).nullish().catch(null),
});
type ExpoError = z.output<typeof expoError>;
const expoTicket = z.union([z.object({ status: z.literal('ok'), id: z.string().min(1) }), expoError]);
const expoReceipt = z.union([z.object({ status: z.literal('ok') }), expoError]);

function outcomeOf(answer: unknown): PushOutcome {
  const { data: ticket } = expoTicket.safeParse(answer);
  if (!ticket) return { type: 'unknown', message: 'the answer has no ticket for the message' };
  if (ticket.status === 'ok') return { type: 'accepted', ticket: ticket.id };
  return { type: 'rejected', reason: reasonOf(ticket), message: withoutTokens(ticket.message) };
}

function receiptOf(receipt: z.output<typeof expoReceipt>): PushReceipt {
  if (receipt.status === 'ok') return { type: 'delivered' };
  return { type: 'undelivered', reason: reasonOf(receipt), message: withoutTokens(receipt.message) };
}

/** Messages of Expo name the token, and are recorded. Cut afterwards: a part of a token would not be recognized. */
const withoutTokens = (message: string): string =>
  message
    .replace(
      /(?:ExponentPushToken|ExpoPushToken)\[[^\]]*\]?|\b[a-z\d]{8}(?:-[a-z\d]{4}){3}-[a-z\d]{12}\b/gi,
      '[token]',
    )
    .slice(0, MAX_MESSAGE);

const MAX_MESSAGE = 500;

const REASONS: ReadonlyMap<string, PushRejection> = new Map([
  ['DeviceNotRegistered', 'device_not_registered'],
  ['MessageRateExceeded', 'message_rate_exceeded'],
  ['MessageTooBig', 'message_too_big'],
  ['InvalidCredentials', 'invalid_credentials'],
]);

const reasonOf = ({ details }: ExpoError): PushRejection => REASONS.get(details?.error ?? '') ?? 'other';

/** Statuses of a call that Expo has not looked at: the caller may not, or must wait. */
const NOT_SENT: ReadonlySet<number> = new Set([401, 403, 404, 405, 415, 429, 503]);
/** Something in the messages is wrong. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);

interface SdkError {
  readonly statusCode?: number;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly details?: unknown;
}

interface Refused {
  readonly type: 'refused';
  readonly message: string;
  readonly projects: unknown;
}

/**
 * Only an answer of Expo itself, which has `errors` (and so the SDK's error a `code`), says that the entire call has failed;
 * the status 5xx alone may be of a proxy that has lost its answer.
 */
function failureOf(error: unknown): Extract<PushOutcome, { type: 'not_sent' | 'unknown' }> | Refused {
  const { statusCode, code, cause, details } = (error ?? {}) as SdkError;
  const message = withoutTokens(messageOf(error));
  const notSent = { type: 'not_sent', message } as const;
  if (isNotConnected(cause)) return notSent;
  if (statusCode === undefined) return { type: 'unknown', message };
  if (REFUSED.has(statusCode)) return { type: 'refused', message, projects: details };
  const isOfExpo = statusCode >= 400 && typeof code === 'string';
  return NOT_SENT.has(statusCode) || isOfExpo ? notSent : { type: 'unknown', message };
}
