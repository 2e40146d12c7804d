import { KIBIBYTE, MEBIBYTE } from '../../config/bytes';
import { bridgeMetrics } from './bridge/metrics';
import { BRIDGE_MESSAGES, BRIDGE_STREAMS } from '../../../contracts/http/connect/tonconnect';
import type { ConnectionOrigins } from '../../../contracts/ports/connection-origins';
import type { Mailbox } from '../../../contracts/ports/mailbox';
import { UNSENT_LIMITS } from '../../../services/http/unsent';
import { bridgeRoutes } from '../../../services/bridge/routes';
import { createMemoryOrigins, MAX_CLIENTS } from '../../engines/connection-origins/memory';
import { openMailbox } from '../../engines/engines';
import type { Feature, Resource } from '../feature';
import { reportOutages } from '../health/outages';
import { rateLimits } from '../requests/rate-limits';
import { count, flag, port as portNumber } from '../../config/settings';

const settings = {
  BRIDGE_PORT: portNumber.optional(),
  /** The recipient learns the address of the sender. */
  BRIDGE_REQUEST_SOURCE: flag.default(false),
  BRIDGE_MAILBOX_MEBIBYTES: count.min(1).default(1_024),
};

/** With all pages that are remembered of a client. */
const CLIENTS_MEASURED = `A stream of the bridge for one client has 13 to 14 KiB with its connection, for 100 clients 31, for 1,000, which counts as ten, 223:
measured with 300 to 1,800 streams for 100 clients, and 50 to 450 for 1,000. Each client of the bridge had sixteen pages with
names of 250 characters, each at an address of its own: 1.7 KiB of heap in streams for 100 clients, 6.3 KiB in streams of their own. The
sum has 2.5 KiB for each: for all clients to be of the second kind, 800,000 streams would have to be opened in five minutes.`;
const MAILBOX_MEASURED = `The embedded mailbox of the bridge had 830 MB in messages of 250 kB, or 160 MB in messages of 2 kB, and sent all of them to 60 streams,
one after the other or at once: 93 to 107 MiB with \`--max-old-space-size=120\`, up to 204 without, for which garbage is collected later.`;

/** Opened only by processes that serve the bridge. */
const mailboxResource: Resource<Mailbox> = {
  async open({ config, logger }) {
    const totalBytes = config.of(settings).BRIDGE_MAILBOX_MEBIBYTES * MEBIBYTE;
    const mailbox = await openMailbox(config, logger, { totalBytes });
    return reportOutages('mailbox', mailbox, { reads: ['read'], writes: ['post'] }, logger);
  },
  close: mailbox => mailbox.close(),
};

/** Shared by the processes where there is a Redis. */
const originsResource: Resource<ConnectionOrigins> = {
  async open({ config, logger }) {
    if (!config.REDIS_URL) return createMemoryOrigins();
    const { openRedisOrigins } = await import('../../engines/connection-origins/redis.js');
    const prefix = 'tidemark:bridge:connection-origins';
    const origins = openRedisOrigins({ url: config.REDIS_URL, prefix, logger });
    return reportOutages('mailbox', origins, { reads: ['of'], writes: [] }, logger);
  },
  close: origins => origins.close(),
};

/** The TON Connect bridge: a role of its own, so that its connections may have processes of their own. */
export const bridge: Feature = {
  name: 'bridge',
  settings,
  settingPrefixes: ['BRIDGE_MAILBOX'],
  quotas: [BRIDGE_MESSAGES, BRIDGE_STREAMS],
  bounds: [
    {
      of: 'messages of the bridge that wait for one recipient',
      owner: 'the recipient',
      max: '10,000, and 16 MiB',
      share: 'a quarter of what the others leave',
      beyond: '429 `mailbox_full`, until messages expire',
      attack: {
        file: 'services/bridge/bridge.test.ts',
        test: 'one network that sends all it can keeps no other from sending to a recipient, nor the recipient from reading',
      },
    },
    {
      of: 'messages of the bridge that wait for all recipients, with their indexes; each for an hour at most',
      owner: 'all who send',
      max: '`BRIDGE_MAILBOX_MEBIBYTES`',
      share: 'a quarter of what the others leave',
      beyond: '429 `mailbox_full` for a caller that has its share, until messages expire',
      attack: {
        file: 'services/bridge/bridge.test.ts',
        test: 'one network that fills the mailboxes of many recipients keeps no other from sending, and a newcomer least',
      },
    },
    {
      of: 'messages that have waited in the bridge and are sent to a stream that is opened',
      owner: 'all who open streams',
      max: `${UNSENT_LIMITS.total / MEBIBYTE} MiB in memory that callers have not read yet`,
      share: '64 KiB for each of `RATE_LIMIT_BRIDGE_STREAMS`',
      beyond: 'until the minute is over the rest waits, and opening another stream is 429 `rate_limited`',
      attack: {
        file: 'services/bridge/bridge.test.ts',
        test: 'who opens streams of a full mailbox again and again is sent a bounded part, and another client opens its own',
      },
    },
    {
      of: 'clients whose pages `/tonconnect/verify` remembers',
      owner: 'the application that has connected',
      max: '50,000, each for five minutes; with `REDIS_URL` 200,000 of all processes',
      share: 'a quarter',
      beyond: 'the least recently used one of the caller with most is forgotten',
      attack: {
        file: 'test/contracts/connection-origins.ts',
        test: 'of networks that name very many clients theirs are forgotten, and those of others are not',
      },
    },
    {
      of: 'pages of one client that `/tonconnect/verify` remembers, each for each address that it was connected from',
      owner: 'the page that was connected first',
      max: '16, of which the first page has up to 4',
      share: 'a quarter',
      beyond: 'not remembered; a caller with fewer gets a place of the one with most',
      attack: {
        file: 'services/bridge/bridge.test.ts',
        test: 'a stranger that names pages and clients keeps no page from being told from another one',
      },
    },
  ],
  memory: [
    {
      of: 'clients of the bridge whose pages are remembered',
      max: MAX_CLIENTS,
      bytesEach: 2.5 * KIBIBYTE,
      measured: CLIENTS_MEASURED,
    },
    {
      of: 'the mailbox of the bridge',
      bound: '`BRIDGE_MAILBOX_MEBIBYTES` of messages, which wait on disk or in Redis',
      bytes: 204 * MEBIBYTE,
      measured: MAILBOX_MEASURED,
    },
  ],
  metrics: bridgeMetrics,
  hosts(config) {
    const { BRIDGE_PORT: port } = config.of(settings);
    return port === undefined
      ? []
      : [{ role: 'bridge', basePath: '/tonconnect', port, setting: 'BRIDGE_PORT' }];
  },
  workers: [
    {
      role: 'bridge',
      runsAfterLoss: true,
      async start({ config, use, metrics, logger, clock }) {
        const mailbox = await use(mailboxResource);
        return {
          bindings: bridgeRoutes({
            mailbox,
            limits: await use(rateLimits),
            origins: await use(originsResource),
            requestSource: config.of(settings).BRIDGE_REQUEST_SOURCE,
            logger,
            clock,
            onPosted: outcome => metrics.of(bridgeMetrics).messages.inc({ outcome }),
            onDelivered: count => metrics.of(bridgeMetrics).delivered.inc(count),
          }),
          checks: [
            {
              name: 'mailbox',
              vital: true,
              run: async () => {
                await mailbox.read({ to: ['health'], after: 0, limit: 1 });
                return null;
              },
            },
          ],
        };
      },
    },
  ],
};
