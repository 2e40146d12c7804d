import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { serveWorkerThread } from '../../infra/engines/worker-thread/serve-worker-thread';

export interface TestMethods {
  add(left: bigint, right: bigint): bigint;
  fail(): never;
  untilClosed(): string;
  exit(code: number): never;
  crash(): void;
  never(): void;
  /** Bytes that the space of new objects has grown to, while many were made. */
  youngBytes(): number;
}

/** The worker of worker-thread.test.ts. */
serveWorkerThread<TestMethods, { failToClose?: boolean }, string>(({ data, closing, notify }) => ({
  methods: {
    add: (left, right) => {
      notify(`adding ${left} and ${right}`);
      return left + right;
    },
    fail: () => {
      const cause = Object.assign(new Error('disk full'), { code: 'ENOSPC' });
      throw Object.assign(new RangeError('refused', { cause }), { limit: 7, detail: { not: 'sent' } });
    },
    untilClosed: async () => {
      while (!closing.aborted) await sleep(1);
      return 'closed';
    },
    exit: code => process.exit(code),
    crash: () => {
      setImmediate(() => {
        throw new Error('crashed');
      });
    },
    never: () => new Promise<void>(() => setInterval(() => undefined, 1_000)),
    youngBytes: () => {
      for (let round = 0; round < 50; round += 1) Array.from({ length: 50_000 }, (_, n) => ({ n }));
      return getHeapSpaceStatistics().find(space => space.space_name === 'new_space')!.physical_space_size;
    },
  },
  close: () => {
    if (data.failToClose) throw new Error('cannot close');
  },
}));
