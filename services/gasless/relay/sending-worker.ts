import { shareOf, type Bound } from '../../../contracts/bound';
import type { AccountRef, TonNetwork } from '../../../contracts/network/network';
import type { Jobs } from '../../../contracts/ports/jobs';
import { createCallerCounts } from '../../callers/caller-counts';
import type { Relayer } from '../deps';
import { GASLESS_SENDING, sendingJob, sendingJobData, type SendingJob } from './jobs';
import { relayAddress } from './relay-account';
import { createRelayQueue, type RelayQueue } from './relay-queue';
import { sendOn, type SendOnDeps } from './send-on';

/** Some messages of the relay wallet. */
const CONCURRENCY = 200;
/** Of one caller: a network that is slow leaves room for the transfers of others. */
const MAX_OF_CALLER = shareOf(CONCURRENCY);
export const GASLESS_SENDING_AT_A_TIME: Bound = {
  of: 'gasless transfers that a process sends on at a time',
  owner: 'all who send',
  max: String(CONCURRENCY),
  share: String(MAX_OF_CALLER),
  beyond: 'sent on a second later or more',
  attack: {
    file: 'services/gasless/relay/sending-worker.test.ts',
    test: 'postpones transfers of a caller that has a quarter of the places, and of nobody else',
  },
};

const POSTPONED_MS = 1_000;
/** While a network has no relayer, though it had one: an operator has changed the settings. */
const NO_RELAYER_MS = 60_000;
/** After this, another worker takes up the transfers of one that crashed. */
const LEASE_MS = 10_000;
/** The relay wallet is watched again so often, so that its watch does not expire. */
const REWATCH_MS = 3_600_000;

export interface SendingWorkerDeps extends SendOnDeps {
  /** Null where the network has none. */
  relayer(network: TonNetwork): Relayer | null;
  readonly jobs: Pick<Jobs, 'add' | 'work'>;
  /** What became of a transfer is read from the transactions of the relay wallet: its chain is followed from before the first. */
  watch(account: AccountRef): Promise<unknown>;
}

/** Sends on what was accepted, until the signal. */
export function workGaslessSending(deps: SendingWorkerDeps, signal: AbortSignal): Promise<void> {
  const running = createCallerCounts();
  const queues = new Map<TonNetwork, RelayQueue>();

  function queueOf(relayer: Relayer): RelayQueue {
    const known = queues.get(relayer.network);
    if (known) return known;
    const watch = createRewatch(deps, relayer);
    const queue = createRelayQueue({
      async run(waiting) {
        await watch();
        return sendOn(deps, relayer, waiting);
      },
      logger: deps.logger,
    });
    queues.set(relayer.network, queue);
    return queue;
  }

  /** @returns milliseconds until it is tried again; null when nothing more is to be done */
  async function send({ network, wallet, seqno, source }: SendingJob, lost: AbortSignal) {
    const relayer = deps.relayer(network);
    if (!relayer) return NO_RELAYER_MS;
    if (running.of(source) >= MAX_OF_CALLER) return POSTPONED_MS;
    const end = running.add(source);
    try {
      await queueOf(relayer).sendOn({ network, wallet, seqno }, lost);
      return null;
    } finally {
      end();
    }
  }

  return deps.jobs.work(
    { queue: GASLESS_SENDING, concurrency: CONCURRENCY, leaseMs: LEASE_MS, signal },
    async ({ data, signal: lost }) => {
      const job = sendingJobData.parse(data);
      const waitMs = await send(job, lost);
      // Another job, so that transfers that wait take no place from those that don't.
      if (waitMs !== null) await deps.jobs.add(sendingJob({ ...job, run: job.run + 1 }, waitMs));
    },
  );
}

function createRewatch(
  { watch, clock }: Pick<SendingWorkerDeps, 'watch' | 'clock'>,
  relayer: Relayer,
): () => Promise<void> {
  let watchedAt = -Infinity;
  return async () => {
    const now = clock().getTime();
    if (now < watchedAt + REWATCH_MS) return;
    await watch({ chain: 'ton', network: relayer.network, address: relayAddress(relayer) });
    watchedAt = now;
  };
}
