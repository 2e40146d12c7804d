import { BRIDGE_MESSAGES, BRIDGE_STREAMS } from '../../contracts/http/connect/tonconnect';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import * as tonconnect from '../../contracts/http/connect/tonconnect';
import { sha256 } from '../../contracts/encoding/sha256';
import { atMost } from '../../contracts/engine/cache-bounds';
import { JsonText } from '../../contracts/json/json-text';
import type { ConnectionOrigins } from '../../contracts/ports/connection-origins';
import { MailboxFull, type Mailbox } from '../../contracts/ports/mailbox';
import type { RateLimits } from '../../contracts/ports/rate-limits';
import { Problem } from '../../contracts/problem/problem';
import { bind, type Binding } from '../http/binding';
import type { AnyCall } from '../http/call';
import { EventFeed } from '../http/event-feed';
import { addressKey } from '../../contracts/http/address-key';
import { limitAddress } from '../http/limits';
import { validate } from '../http/validate';
import { HEARTBEATS, type MessageHeaders } from './frames';
import { MessageStream } from './message-stream';
import { originStatus } from './origin-status';
import { sealRequestSource } from './request-source';

export interface BridgeDeps {
  readonly mailbox: Mailbox;
  readonly limits: RateLimits;
  readonly origins: ConnectionOrigins;
  /** Whether recipients learn, encrypted, where a message was sent from: the address of its sender, too. */
  readonly requestSource: boolean;
  readonly logger: Logger;
  readonly clock: () => Date;
  readonly onPosted: (outcome: 'stored' | 'duplicate' | 'mailbox_full') => void;
  /** Called with the number of messages that are delivered. */
  readonly onDelivered: (count: number) => void;
}

const OK = new JsonText<{ message: 'OK'; statusCode: 200 }>('{"message":"OK","statusCode":200}');

/** A longer message counts as several. */
const BYTES_OF_ONE_MESSAGE = 16 * 1024;

/** A stream for more clients counts as several: what it takes of memory, and to be opened, grows with them. */
const CLIENTS_OF_ONE_STREAM = 100;

/** Of the digest of a network, which is stored for as long as its messages. */
const SOURCE_BYTES = 9;
/** Those that post often post more than once. */
const MAX_SOURCES = 1_000;

/** So that a wallet that is offline learns of a disconnected application; small ones only. */
const DISCONNECT_TTL_SECONDS = 3_600;
const MAX_DISCONNECT_BYTES = 512;

/** The endpoints of the TON Connect bridge. */
export function bridgeRoutes(deps: BridgeDeps): Binding[] {
  const { mailbox, limits, origins, logger, clock, onPosted, onDelivered } = deps;

  const post = async (message: Parameters<Mailbox['post']>[0]): Promise<void> => {
    try {
      const { isNew } = await mailbox.post(message);
      onPosted(isNew ? 'stored' : 'duplicate');
    } catch (error) {
      if (!(error instanceof MailboxFull)) throw error;
      onPosted('mailbox_full');
      throw mailboxFull(error, clock().getTime());
    }
  };

  const sources = new LRUCache<string, string>(atMost(MAX_SOURCES));
  /** The same for all addresses of a network. */
  const sourceOf = (ip: string): string => {
    const known = sources.get(ip);
    if (known !== undefined) return known;
    const source = sha256(addressKey(ip)).toString('base64url', 0, SOURCE_BYTES);
    sources.set(ip, source);
    return source;
  };

  /** One over the quota is not refused: the client would open the stream again. */
  const chargeOf =
    (ip: string) =>
    async (streams: number): Promise<number> => {
      const state = await limits.consume(BRIDGE_STREAMS.name, addressKey(ip), streams);
      return state?.exceeded ? state.resetsIn * 1_000 : 0;
    };

  return [
    bind(tonconnect.events, async call => {
      const { client_id: to, heartbeat, enable_queue_done_event: queueDone } = call.query;
      const after = lastEventIdOf(call.header('last-event-id')) || (call.query.last_event_id ?? 0);
      const origin = originOf(call);
      const weight = Math.ceil(to.length / CLIENTS_OF_ONE_STREAM);
      await limitAddress(limits, BRIDGE_STREAMS, call, weight);
      const { ip } = call;
      const options = { queueDone, logger, onDelivered, charge: chargeOf(ip) };
      logger.debug(
        { clients: to.length, after, traceId: call.query.trace_id },
        'stream of the bridge opened',
      );
      return new EventFeed(
        stream => {
          const onClosed =
            origin === '' ? undefined : origins.opened(to, { origin, network: addressKey(ip) });
          return new MessageStream(mailbox, { to, after }, stream, {
            ...options,
            ...(onClosed && { onClosed }),
          });
        },
        HEARTBEATS[heartbeat],
        weight,
      );
    }),

    bind(tonconnect.message, async call => {
      const { client_id: from, to, ttl, topic, trace_id: traceId } = call.query;
      const { body } = call;
      const bytes = Buffer.byteLength(body);
      await limitAddress(limits, BRIDGE_MESSAGES, call, Math.ceil(bytes / BYTES_OF_ONE_MESSAGE));
      const seconds = topic === 'disconnect' && bytes < MAX_DISCONNECT_BYTES ? DISCONNECT_TTL_SECONDS : ttl;
      const headers: MessageHeaders = {
        traceId: isUuid(traceId) ? traceId! : uuidv7(),
        ...(deps.requestSource &&
          !call.query.no_request_source && {
            requestSource: sealRequestSource(requestSourceOf(call, clock()), to),
          }),
      };
      await post({
        from,
        to,
        body,
        source: sourceOf(call.ip),
        ttlMs: seconds * 1_000,
        headers: { ...headers },
      });
      logger.debug({ traceId: headers.traceId, topic, bytes }, 'message accepted');
      return OK;
    }),

    bind(tonconnect.verify, async call => {
      const given = validate(tonconnect.verifyRequest, 'query', { ...call.query, ...call.body });
      const known = await origins.of(given.client_id);
      return { status: originStatus(known, { origin: given.url, network: addressKey(call.ip) }) };
    }),
  ];
}

/** @throws Problem 400 */
const lastEventIdOf = (header: string | undefined): number | undefined =>
  header ? validate(tonconnect.lastEventId, 'header', header) : undefined;

/** Longer than any origin; what is longer, or has a space, is none. */
const MAX_ORIGIN_LENGTH = 300;
const MAX_USER_AGENT_LENGTH = 300;

const originOf = ({ header }: Pick<AnyCall, 'header'>): string => {
  const origin = header('origin') ?? '';
  return origin.length > MAX_ORIGIN_LENGTH || origin.includes(' ') ? '' : origin;
};

const requestSourceOf = (call: AnyCall, now: Date) => ({
  origin: originOf(call),
  ip: call.ip,
  time: String(Math.floor(now.getTime() / 1_000)),
  user_agent: (call.header('user-agent') ?? '').slice(0, MAX_USER_AGENT_LENGTH),
});

const mailboxFull = ({ freeAt }: MailboxFull, now: number): Problem =>
  new Problem(
    'mailbox_full',
    'Too many messages are waiting: from your network, for the recipient, or in all.',
    {
      retryAfter: Math.max(1, Math.ceil((freeAt - now) / 1_000)),
    },
  );
