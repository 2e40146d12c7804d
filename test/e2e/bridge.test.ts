import { BRIDGE_STREAMS } from '../../contracts/http/connect/tonconnect';
import { runningBridge } from '../bridge/program';
import { sdk } from '../bridge/sdk/suite';
import { cors } from '../bridge/suites/cors';
import { delivery } from '../bridge/suites/delivery';
import { envelope } from '../bridge/suites/envelope';
import { eventRequests } from '../bridge/suites/event-requests';
import { eventSource } from '../bridge/suites/event-source';
import { fullMailbox } from '../bridge/suites/full-mailbox';
import { heartbeats } from '../bridge/suites/heartbeats';
import { hostileRequests } from '../bridge/suites/hostile-requests';
import { limits } from '../bridge/suites/limits';
import { messageRequests } from '../bridge/suites/message-requests';
import { order } from '../bridge/suites/order';
import { requestSource } from '../bridge/suites/request-source';
import { slowReader } from '../bridge/suites/slow-reader';
import { verify } from '../bridge/suites/verify';

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
