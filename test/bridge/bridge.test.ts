import { BRIDGE_STREAMS } from '../../contracts/http/connect/tonconnect';
import { runningBridge } from './program';
import { sdk } from './sdk/suite';
import { cors } from './suites/cors';
import { delivery } from './suites/delivery';
import { envelope } from './suites/envelope';
import { eventRequests } from './suites/event-requests';
import { eventSource } from './suites/event-source';
import { fullMailbox } from './suites/full-mailbox';
import { heartbeats } from './suites/heartbeats';
import { hostileRequests } from './suites/hostile-requests';
import { limits } from './suites/limits';
import { messageRequests } from './suites/message-requests';
import { order } from './suites/order';
import { requestSource } from './suites/request-source';
import { slowReader } from './suites/slow-reader';
import { verify } from './suites/verify';

const LIMITS = { messages: 100, streams: 40 };

/** One start of the program, as any client sees it. Each suite passes alone as well. */
const bridge = runningBridge({
  STREAM_HEARTBEAT_SECONDS: '0.5',
  BRIDGE_REQUEST_SOURCE: 'true',
  RATE_LIMIT_BRIDGE_MESSAGES: String(LIMITS.messages),
  // The default, which disturbs no client.
  RATE_LIMIT_BRIDGE_STREAMS: String(BRIDGE_STREAMS.perMinute),
  MAX_STREAMS_PER_CALLER: String(LIMITS.streams),
});

describe('requests to post a message', () => messageRequests(bridge));
describe('requests for events', () => eventRequests(bridge));
describe('hostile requests', () => hostileRequests(bridge));
describe('envelope', () => envelope(bridge));
describe('request_source', () => requestSource(bridge));
describe('order', () => order(bridge));
describe('delivery', () => delivery(bridge));
describe('a reader that does not read', () => slowReader(bridge));
describe('a full mailbox', () => fullMailbox(bridge));
describe('EventSource', () => eventSource(bridge));
describe('heartbeats', () => heartbeats(bridge));
describe('the SDK of dApps', () => sdk(bridge));
describe('CORS', () => cors(bridge));
describe('verification', () => verify(bridge));
describe('limits', () => limits(bridge, LIMITS));
