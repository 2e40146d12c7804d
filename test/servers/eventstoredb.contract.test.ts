import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDistributedEventStore } from '../../infra/engines/distributed-engines';
import { openEventStoreDb } from '../../infra/engines/event-store/eventstoredb/eventstoredb-event-store';
import { describeEventStore } from '../contracts/event-store';
import { type Cluster, startCluster } from './event-store-double/cluster';
import { scavenge } from './scavenge';

const SCAN_MS = 1;
const ELECTION_MS = 100;
const COMMIT_TIMEOUT_MS = 200;

describeEventStore('EventStoreDB, as the program opens it', async () =>
  openDistributedEventStore(process.env['EVENTSTORE_URL']!),
);

describe('nodes of the double:', () => {
  let folder: string;
  let cluster: Cluster;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eventstoredb-contract-'));
    cluster = await startCluster(folder, 2);
  });
  afterAll(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true });
  });
  const open = () => openEventStoreDb({ url: cluster.url });
  const vanish = (streams: readonly string[]) => scavenge(cluster.url, streams);

  describe('of release 23.10', () => {
    beforeAll(() =>
      cluster.nodes.forEach(node => Object.assign(node, { commitTimeoutMs: COMMIT_TIMEOUT_MS })),
    );
    describeEventStore('EventStoreDB', open, vanish);
  });

  describe('of release 24.2: checkpoints and acknowledgements without a position; and slow scans', () => {
    beforeAll(() => {
      for (const node of cluster.nodes)
        Object.assign(node, {
          release: '24.2',
          hasEmptyCheckpoints: true,
          hasNoPositions: true,
          scan: () => pause(SCAN_MS),
        });
    });
    describeEventStore('EventStoreDB', open, vanish);
  });

  describe('a leader that is replaced all the time', () => {
    let elections: NodeJS.Timeout;
    beforeAll(() => {
      let leader = 0;
      let { reads } = cluster.nodes[leader]!;
      // One that has not been asked anything yet stays: on a busy machine reads would otherwise find none that leads.
      elections = setInterval(() => {
        if (cluster.nodes[leader]!.reads === reads) return;
        cluster.elect((leader = 1 - leader));
        ({ reads } = cluster.nodes[leader]!);
      }, ELECTION_MS);
    });
    afterAll(() => clearInterval(elections));
    describeEventStore('EventStoreDB', open);
  });
});
