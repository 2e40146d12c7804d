import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import type { Cursor } from '../../indexers/solana/cursor';
import type { Publisher } from '../../indexers/solana/publisher';
import { createTail } from '../../indexers/solana/tail';
import { createScriptedChain } from './scripted-chain';

/** A clock that only waiting moves. */
let now = 0;
jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn() }));
beforeEach(() => {
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest.mocked(sleep).mockImplementation(async milliseconds => {
    now += milliseconds!;
    return undefined as never;
  });
});
afterEach(() => jest.restoreAllMocks());

const SLOT_MS = 400;
const MINUTE_MS = 60_000;

/** A double of a publisher, which counts. */
function countingPublisher(): Publisher & { readonly appended: number } {
  let appended = 0;
  let cursor: Cursor = {
    revision: 0,
    finalized: { slot: 0, blockhash: 'block-0' },
    unfinalized: [],
    possiblyPublished: [],
  };
  return {
    get cursor() {
      return cursor;
    },
    get appended() {
      return appended;
    },
    scannedSlot: 0,
    async append({ slot, blockhash }) {
      appended += 1;
      cursor = { ...cursor, finalized: { slot, blockhash } };
    },
    finalize: async () => undefined,
    retractLast: async () => undefined,
    reportStatus: async () => undefined,
  };
}

/** Follows a chain for some virtual minutes, whose node fails when `fails` says so of a call for a block. */
async function followed(minutes: number, fails: (blockCall: number) => boolean) {
  const chain = createScriptedChain();
  const publisher = countingPublisher();
  const stop = new AbortController();
  let slot = 0;
  let [blockCalls, failures] = [0, 0];
  chain.fault = name => {
    if (now >= minutes * MINUTE_MS) stop.abort();
    while (slot < now / SLOT_MS) chain.add(++slot);
    if (name !== 'block' || !fails(++blockCalls)) return null;
    failures += 1;
    return new Error('429 Too Many Requests');
  };
  chain.source.waitForSlot = async () => void (now += SLOT_MS);
  const logger = pino({ level: 'silent' });
  await createTail({ network: 'mainnet', source: chain.source, publisher, logger, concurrency: 1 }).run(
    stop.signal,
  );
  return { failures, appended: publisher.appended, slots: slot };
}

test('a node that fails after each block is asked less and less', async () => {
  const { failures, appended } = await followed(3, call => call % 2 === 0);
  // Every five seconds, and a few times before it is so.
  expect(failures).toBeLessThan(3 * 12 + 10);
  expect(appended).toBeGreaterThan(3 * 11);
});

test('a node that failed for some time and recovered is followed to its tip, and asked again at once when it fails once', async () => {
  const { failures, appended, slots } = await followed(3, call => call <= 20 || call % 100 === 0);
  expect(failures).toBeGreaterThan(20);
  expect(slots - appended).toBeLessThan(5);
});
