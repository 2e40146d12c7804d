import type { Quota } from '../../quota';
import { z } from 'zod';
import { pageUrl } from '../../url/app-url';
import type { Problem } from '../../problem/problem';
import { endpoint } from '../endpoint';

/** Messages that an address posts to the bridge; a large one counts several times. */
export const BRIDGE_MESSAGES: Quota = {
  name: 'bridge_messages',
  of: 'messages to the TON Connect bridge; a large one counts several times',
  by: 'address',
  perMinute: 600,
};

/**
 * Streams that an address opens. Clients connect again two seconds after they have lost a connection: each of the 200 streams that
 * an address may have can do so 15 times a minute, or the address is sent 187 MiB that have waited.
 */
export const BRIDGE_STREAMS: Quota = {
  name: 'bridge_streams',
  of: 'streams of the TON Connect bridge; one counts once for each 100 clients, and for each 64 KiB of messages that have waited',
  by: 'address',
  perMinute: 3_000,
};

/**
 * The bridge of TON Connect, over which applications and wallets exchange encrypted messages: the HTTP API of the official
 * bridge (https://github.com/ton-connect/bridge), as its clients use it.
 */

const group = 'TON Connect bridge';

export const MAX_TTL_SECONDS = 300;
const MAX_CLIENT_IDS = 1_000;
const MAX_MESSAGE_BYTES = 256 * 1024;
/** Of all client ids with encoded commas, and room for the other parameters. */
const MAX_TARGET_BYTES = MAX_CLIENT_IDS * 67 + 1_024;

const HEX = /^[0-9a-f]*$/i;

/** The messages are those of the official bridge. */
const missing = (name: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? `param "${name}" not present` : `param "${name}" must be given once`,
});
const faultOf = (id: string): string | null => {
  if (id.length !== 64) return 'must be 64 characters long';
  return HEX.test(id) ? null : 'must be a valid hex string';
};
const check = (name: string, id: string, context: z.RefinementCtx): void => {
  const fault = faultOf(id);
  if (fault !== null) context.addIssue(`failed to parse the "${name}" address: public address ${fault}`);
};

/** Ids that differ only in their case are of one key. */
const clientId = (name: string) =>
  z
    .string(missing(name))
    .transform((text, context) => {
      check(name, text, context);
      return text.toLowerCase();
    })
    .meta({ description: 'A public key of X25519: 64 hexadecimal digits.' });

const clientIds = z
  .string(missing('client_id'))
  .transform((text, context) => {
    const ids = text.toLowerCase().split(',');
    if (ids.length > MAX_CLIENT_IDS)
      context.addIssue(`param "client_id" has more than ${MAX_CLIENT_IDS} ids`);
    else check('client_id', ids.find(id => faultOf(id) !== null) ?? ids[0]!, context);
    return [...new Set(ids)];
  })
  .meta({ description: `Public keys, at most ${MAX_CLIENT_IDS}, separated by commas.` });

/** Beyond the greatest id, nothing is replayed. */
const eventId = z
  .string()
  .regex(/^\d{1,20}$/, 'Last-Event-ID should be int')
  .transform(text => Math.min(Number(text), Number.MAX_SAFE_INTEGER));
export const lastEventId = eventId.optional();

const traceId = z.string().optional().meta({
  description: 'A UUID that is delivered with the message; anything that is not a UUID is ignored.',
});

const isTrue = z
  .string()
  .max(16)
  .optional()
  .transform(text => text === 'true');

const ttl = z
  .string(missing('ttl'))
  .regex(/^[+-]?\d{1,15}$/, { error: 'param "ttl" must be an integer', abort: true })
  .transform(Number)
  .refine(seconds => seconds > 0, { error: 'param "ttl" must be positive', abort: true })
  .refine(seconds => seconds <= MAX_TTL_SECONDS, 'param "ttl" too high')
  .meta({ description: `Seconds until the message expires, 1 to ${MAX_TTL_SECONDS}.` });

/** As the official bridge answers. */
const problemMembers = ({ status, detail, errors }: Problem) => ({
  message: errors?.[0]?.message ?? detail,
  statusCode: status,
});

const ID = 'a'.repeat(64);
const OTHER_ID = 'b'.repeat(64);
const TRACE_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

const envelope = z
  .object({
    from: z.string(),
    message: z.string(),
    trace_id: z.string(),
    request_source: z.string().optional(),
  })
  .meta({ id: 'BridgeMessage' });
export type Envelope = z.output<typeof envelope>;

export const events = endpoint({
  group,
  method: 'GET',
  path: '/tonconnect/events',
  kind: 'sse',
  cors: true,
  summary: 'Messages to one or more clients: waiting ones first, then new ones, in the order of their ids',
  targetLimit: MAX_TARGET_BYTES,
  examples: [
    {
      query: {
        client_id: OTHER_ID,
        last_event_id: '0',
        heartbeat: 'legacy',
        enable_queue_done_event: 'false',
        trace_id: TRACE_ID,
      },
    },
  ],
  query: z.object({
    client_id: clientIds,
    last_event_id: eventId.optional().meta({
      description:
        'Only events with greater ids; the header `Last-Event-ID` takes precedence unless it is 0.',
    }),
    heartbeat: z
      .enum(['legacy', 'message'], 'invalid heartbeat type. Supported: legacy and message')
      .default('legacy')
      .meta({ description: '`message`: heartbeats are events that JavaScript receives.' }),
    enable_queue_done_event: isTrue.meta({
      description: '`true`: an event with the data `queue_done` follows the waiting messages.',
    }),
    trace_id: traceId,
  }),
  requestHeaders: {
    'Last-Event-ID': 'Only events with greater ids; sent by a browser that reconnects',
  },
  response: envelope,
  errors: ['rate_limited'],
  problemMembers,
});

export const message = endpoint({
  group,
  method: 'POST',
  path: '/tonconnect/message',
  cors: true,
  summary: 'Sends an encrypted message; repeating it delivers it once',
  targetLimit: 4 * 1024,
  bodyType: 'text',
  bodyLimit: MAX_MESSAGE_BYTES,
  examples: [
    {
      query: {
        client_id: ID,
        to: OTHER_ID,
        ttl: '300',
        topic: 'sendTransaction',
        trace_id: TRACE_ID,
        no_request_source: 'true',
      },
      body: 'bWVzc2FnZQ==',
    },
  ],
  query: z.object({
    client_id: clientId('client_id'),
    to: clientId('to'),
    ttl,
    topic: z.string().optional().meta({ description: 'The method of the request.' }),
    trace_id: traceId,
    no_request_source: isTrue.meta({
      description: '`true`: the recipient is not told where the request came from.',
    }),
  }),
  body: z
    .string()
    // Without a body; the official bridge takes it as a message, too.
    .default('')
    .refine(text => !text.includes('\0'), 'the body must be text'),
  response: z.object({ message: z.literal('OK'), statusCode: z.literal(200) }),
  errors: ['rate_limited', 'mailbox_full'],
  problemMembers,
});

/** Both as query and as JSON. */
const verified = z.object({
  client_id: z.string().optional(),
  url: z.string().max(2_048).optional(),
  type: z.string().max(64).optional(),
});

export const verifyRequest = z.object({
  client_id: clientId('client_id'),
  url: z
    .string(missing('url'))
    .refine(text => pageUrl(text) !== null, 'param "url" must be a URL')
    .transform(text => pageUrl(text)!.origin),
  type: z.literal('connect', 'param "type" must be: connect').default('connect'),
});

export const verify = endpoint({
  group,
  method: 'POST',
  path: '/tonconnect/verify',
  cors: true,
  summary:
    "Whether the page that a wallet was shown is the one that opened a client's connection within the last five minutes",
  targetLimit: 4 * 1024,
  examples: [{ query: { client_id: ID, url: 'https://app.example', type: 'connect' } }],
  query: verified,
  body: verified.optional(),
  response: z.object({ status: z.enum(['ok', 'warning', 'danger', 'unknown']) }),
  problemMembers,
});
