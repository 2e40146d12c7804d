import { z } from 'zod';
import {
  GASLESS_RELAY_CATEGORY,
  gaslessRelayEvents,
  type GaslessRelayMessageIncluded,
} from '../../../contracts/events/gasless-relay';
import {
  GASLESS_SEND_CATEGORY,
  gaslessSendEvents,
  gaslessSendStream,
  type GaslessSendRef,
} from '../../../contracts/events/gasless-send';
import { TON_NETWORKS } from '../../../contracts/network/network';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { NewJob } from '../../../contracts/ports/jobs';
import { backoffMs } from '../../../contracts/retry/backoff';
import type { Reaction } from '../../reactions/event-reaction';

export const GASLESS_SENDING = 'gasless-sending';
export const GASLESS_OUTCOMES = 'gasless-outcomes';

/** With back-off for ever: a request ends when it is on the chain or has expired, and not with a job. */
const ATTEMPTS = 10_000;
const BACKOFF_MS = 500;

export const sendingJobData = z.object({
  network: z.enum(TON_NETWORKS),
  wallet: z.string(),
  seqno: z.int(),
  /** Revision of the event that has it sent on: after a fork it is another one. */
  revision: z.int(),
  run: z.int(),
  /** Where the call came from. */
  source: z.string(),
});
export type SendingJob = z.output<typeof sendingJobData>;

/** @param delayMs until the caller, who has too much on its way, may have more */
export function sendingJob(data: SendingJob, delayMs = 0): NewJob {
  const id = `${gaslessSendStream(data)}/${data.revision}/${data.run}`;
  return { queue: GASLESS_SENDING, id, data, delayMs, attempts: ATTEMPTS, backoffMs: BACKOFF_MS };
}

/** What is accepted is sent on by a job, and once more when a fork has taken it back. */
export const sendingReaction: Reaction = {
  name: GASLESS_SENDING,
  categories: [GASLESS_SEND_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const { type, data } = gaslessSendEvents.read(recorded);
    if (type !== 'GaslessSendAccepted' && type !== 'GaslessSendUnsent') return [];
    return [firstSendingJob(data, recorded.revision, type === 'GaslessSendAccepted' ? data.source : null)];
  },
};

function firstSendingJob(
  { network, wallet, seqno }: GaslessSendRef,
  revision: number,
  source: string | null,
): NewJob {
  return sendingJob({ network, wallet, seqno, revision, run: 1, source: source ?? wallet });
}

export const outcomesJobData = z.object({
  network: z.enum(TON_NETWORKS),
  relay: z.string(),
  count: z.int(),
  messageHash: z.string(),
  requests: z.array(z.object({ wallet: z.string(), seqno: z.int(), bodyHash: z.string() })),
  /** What a fork has taken back, for which it is looked again; empty at first. */
  occasion: z.string().default(''),
  run: z.int(),
});
export type OutcomesJob = z.output<typeof outcomesJobData>;

/** A trace takes some blocks. One that never becomes known is looked for as long as it takes. */
const FIRST_LOOK_MS = 1_000;
const MAX_LOOK_MS = 600_000;

type SentMessage = Omit<OutcomesJob, 'run' | 'occasion'> & Partial<Pick<OutcomesJob, 'occasion'>>;

/** @param run from 1: each adds the next one while something is not known yet */
export function outcomesJob(
  { network, relay, count, messageHash, requests, occasion = '' }: SentMessage,
  run: number,
): NewJob {
  return {
    queue: GASLESS_OUTCOMES,
    id: `${network}:${relay}/${count}/${run}${occasion && `/${occasion}`}`,
    data: { network, relay, count, messageHash, requests: [...requests], occasion, run },
    delayMs: backoffMs(run - 1, FIRST_LOOK_MS, MAX_LOOK_MS),
    attempts: ATTEMPTS,
    backoffMs: BACKOFF_MS,
  };
}

/** Once a message of a relay wallet is in a block, what became of its requests is read from its trace. */
export const outcomesReaction: Reaction = {
  name: GASLESS_OUTCOMES,
  categories: [GASLESS_RELAY_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const { type, data } = gaslessRelayEvents.read(recorded);
    return type === 'GaslessRelayMessageIncluded' ? [outcomesJob(data, 1)] : [];
  },
};

/** The jobs of all requests that are not sent on yet, or of which it is not known what became of them. */
export async function* openGaslessJobs(store: Pick<EventStore, 'readAll'>): AsyncIterable<NewJob> {
  const waiting = new Map<string, NewJob>();
  const relayed = new Map<string, string>();
  for await (const events of store.readAll({ categories: [GASLESS_SEND_CATEGORY] }))
    for (const recorded of events) {
      const { type, data } = gaslessSendEvents.read(recorded);
      waiting.delete(recorded.stream);
      relayed.delete(recorded.stream);
      for (const job of await sendingReaction.jobs(recorded)) waiting.set(recorded.stream, job);
      if (type === 'GaslessSendRelayed') relayed.set(recorded.stream, data.messageHash);
    }
  yield* waiting.values();
  yield* openMessageJobs(store, new Set(relayed.values()));
}

type Included = GaslessRelayMessageIncluded['data'];

/** Of messages whose requests have no outcome; and of one that may have been included without anybody having seen it. */
async function* openMessageJobs(
  store: Pick<EventStore, 'readAll'>,
  messageHashes: ReadonlySet<string>,
): AsyncIterable<NewJob> {
  const live = new Map<string, NewJob>();
  const included: Included[] = [];
  for await (const events of store.readAll({ categories: [GASLESS_RELAY_CATEGORY] }))
    for (const recorded of events) {
      const { type, data } = gaslessRelayEvents.read(recorded);
      live.delete(recorded.stream);
      if (type === 'GaslessRelayMessageSigned') {
        const ref = { network: data.network, ...data.requests[0]! };
        live.set(recorded.stream, firstSendingJob(ref, recorded.revision, null));
      }
      if (type === 'GaslessRelayMessageIncluded' && messageHashes.has(data.messageHash)) included.push(data);
    }
  yield* live.values();
  for (const data of included) yield outcomesJob(data, 1);
}
