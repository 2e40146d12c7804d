import type { Mutex } from 'async-mutex';
import type { Logger } from 'pino';
import { backoffMs } from '../../../contracts/retry/backoff';
import { messageOf } from '../../../contracts/text/error-message';
import { pushDeviceSubject } from '../../../contracts/events/push-device';
import { pushNotificationStream } from '../../../contracts/events/push-notification';
import type { Jobs } from '../../../contracts/ports/jobs';
import type { PushOutcome, PushSender } from '../../../contracts/ports/push-sender';
import type { NotificationCause } from '../../../contracts/push/push-cause';
import { findPushDevices } from '../../../projections/push/devices';
import type { Views } from '../../../projections/views';
import type { Handle } from '../../commands/handle';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import { MAX_CAUSE_AGE_MS } from '../causes/reactions';
import { decryptContacts } from '../device/contacts';
import { retireUnregistered } from '../device/retire';
import { countInHours, type Admission } from '../hour/count';
import { contentOf } from './content';
import { CALL_LOST_MS, pushNotificationKind, type PushNotification } from './decider';
import { receiptsJob, type NotificationJob } from './jobs';

export type SendOutcome =
  | Exclude<PushOutcome['type'], 'not_sent' | 'unknown'>
  | 'deferred'
  | 'outcome_unknown'
  /** It was not sent in time. */
  | 'expired'
  /** Its device has as many of its kind in this hour: the summary counts it. */
  | 'over_cap'
  /** The device is no longer registered, or what is known of it was erased. */
  | 'device_gone';

export interface SendDeps {
  readonly views: Pick<Views, 'getMany'>;
  readonly texts: PersonalTexts;
  readonly handle: Handle;
  readonly jobs: Pick<Jobs, 'add'>;
  readonly sender: () => Promise<PushSender>;
  /** Held from the first claim for a call until the call is made: a crash loses the claims of one call, not those of many. */
  readonly claiming: Mutex;
  readonly clock: () => Date;
  readonly logger: Pick<Logger, 'warn' | 'debug'>;
  readonly onOutcome: (outcome: SendOutcome) => void;
}

const MIN_RETRY_MS = 5_000;
const MAX_RETRY_MS = 300_000;

/** A notification that this worker has claimed: nobody else sends it. */
interface Claimed extends NotificationJob {
  readonly token: string;
  readonly attempt: number;
}

/**
 * Sends notifications in one call, each to its device at most once: from wherever an earlier run has left it, however many
 * workers do so. A claim without an outcome is that of a worker that crashed as it called the sender.
 * @param batch at most `MAX_PUSH_MESSAGES`
 * @returns for each the milliseconds until there is more to do, null when it was sent or never will be, or why that could not
 * be recorded
 */
export async function sendNotifications(
  deps: SendDeps,
  batch: readonly NotificationJob[],
): Promise<(number | null | Error)[]> {
  const sender = await deps.sender();
  const tokens = await tokensOf(deps, batch);
  const { steps, ours, answer } = await deps.claiming.runExclusive(async () => {
    const admissions = await countInHours(
      deps,
      batch.filter((job, i) => isSendable(deps, job, tokens[i] ?? null)),
    );
    const steps = await Promise.all(
      batch.map((job, i) => orError(claim(deps, job, tokens[i] ?? null, admissions.get(job) ?? true))),
    );
    const ours = steps.filter(step => isClaimed(step));
    return { steps, ours, answer: ours.length > 0 ? call(deps, sender, ours) : null };
  });
  const outcomes = await answer;
  if (!outcomes) return steps as (number | null | Error)[];
  await scheduleReceipts(deps, sender, ours, outcomes);
  const waits = await Promise.all(ours.map((each, i) => orError(record(deps, each, outcomes[i]!))));
  const waitOfClaim = new Map(ours.map((each, i) => [each, waits[i]!]));
  return steps.map(step => (isClaimed(step) ? waitOfClaim.get(step)! : step));
}

type Step = Claimed | number | null | Error;

const isClaimed = (step: Step): step is Claimed =>
  typeof step === 'object' && step !== null && 'token' in step;

/** What has failed for one must not keep others from being sent: they are claimed. */
const orError = <T>(promise: Promise<T>): Promise<T | Error> =>
  promise.catch((error: unknown) => (error instanceof Error ? error : new Error(messageOf(error))));

/** Milliseconds since the epoch. */
const deadlineOf = (cause: NotificationCause): number =>
  'expiresAt' in cause && cause.expiresAt !== null
    ? Date.parse(cause.expiresAt)
    : Date.parse(cause.at) + MAX_CAUSE_AGE_MS;

/** Null where there is none any more. */
async function tokensOf(
  { views, texts }: SendDeps,
  batch: readonly NotificationJob[],
): Promise<(string | null)[]> {
  const devices = await findPushDevices(
    views,
    batch.map(({ deviceId }) => deviceId),
  );
  const contacts = await decryptContacts(texts, [...devices.values()]);
  const tokenOf = new Map([...devices.keys()].map((id, i) => [id, contacts[i]?.token ?? null]));
  return batch.map(({ deviceId }) => tokenOf.get(deviceId) ?? null);
}

/** What was claimed before has a place in its hour. */
const isSendable = ({ clock }: SendDeps, { cause, run }: NotificationJob, token: string | null): boolean =>
  run === 1 && token !== null && deadlineOf(cause) > clock().getTime();

/** @param token null when the device has none any more */
async function claim(
  { handle, texts, clock, onOutcome }: SendDeps,
  job: NotificationJob,
  token: string | null,
  admission: Admission,
): Promise<Claimed | number | null> {
  const { notificationId, deviceId, cause } = job;
  const now = clock();
  const isExpired = deadlineOf(cause) <= now.getTime();
  if (isExpired || token === null) {
    onOutcome(isExpired ? 'expired' : 'device_gone');
    return null;
  }
  if (admission instanceof Error) throw admission;
  if (!admission) {
    onOutcome('over_cap');
    return null;
  }
  const content = await texts.encrypt(pushDeviceSubject(deviceId), JSON.stringify(contentOf(cause)), {
    hasAge: true,
  });
  const outcome = await handle(pushNotificationKind, pushNotificationStream(notificationId), {
    type: 'claim',
    notificationId,
    deviceId,
    kind: cause.kind,
    content,
    metadata: { now: now.toISOString(), actor: 'push' },
  });
  if (outcome.refusal) throw new Error(`notification ${notificationId}: ${outcome.refusal.detail}`);
  const state = outcome.state!;
  const last = outcome.events.at(-1)?.type;
  if (last === 'PushNotificationClaimed') return { ...job, token, attempt: state.attempt };
  if (last === 'PushNotificationOutcomeUnknown') onOutcome('outcome_unknown');
  return waitOf(state, now.getTime());
}

function waitOf(state: PushNotification, now: number): number | null {
  if (state.step === 'claimed') return Math.max(0, Date.parse(state.since) + CALL_LOST_MS - now);
  return state.step === 'deferred' ? Math.max(0, Date.parse(state.retryAt) - now) : null;
}

/** The one call of these attempts. A stop of the program does not interrupt it: its answer would be lost. */
async function call(
  { logger }: SendDeps,
  sender: PushSender,
  claimed: readonly Claimed[],
): Promise<readonly PushOutcome[]> {
  const messages = claimed.map(({ token, cause }) => ({
    to: token,
    ...contentOf(cause),
    expiresAt: deadlineOf(cause),
  }));
  const outcomes = await sender.send(messages);
  const failed = outcomes.find(each => each.type === 'not_sent' || each.type === 'unknown');
  if (failed) logger.warn({ outcome: failed.type, message: failed.message }, 'notifications not sent');
  // Anybody can register a token that is rejected.
  const rejected = outcomes.find(each => each.type === 'rejected');
  if (rejected)
    logger.debug({ reason: rejected.reason, message: rejected.message }, 'notifications rejected');
  return outcomes;
}

/** Before the outcome is recorded: nobody else would ask for them. */
async function scheduleReceipts(
  { jobs, clock, logger }: SendDeps,
  sender: PushSender,
  claimed: readonly Claimed[],
  outcomes: readonly PushOutcome[],
): Promise<void> {
  if (sender.isOutbox) return;
  const sent = claimed.flatMap(({ notificationId, deviceId }, i) => {
    const outcome = outcomes[i]!;
    return outcome.type === 'accepted' ? [{ ticket: outcome.ticket, notificationId, deviceId }] : [];
  });
  const job = receiptsJob(sent, clock().toISOString(), 1);
  try {
    if (job) await jobs.add(job);
  } catch (error) {
    logger.warn({ err: error }, 'receipts of notifications will not be read');
  }
}

/** @returns milliseconds until it may be sent again; null when it must not */
async function record(
  { handle, clock, onOutcome }: SendDeps,
  { notificationId, deviceId, attempt }: Claimed,
  outcome: PushOutcome,
): Promise<number | null> {
  const now = clock();
  const delayMs = backoffMs(attempt - 1, MIN_RETRY_MS, MAX_RETRY_MS);
  const metadata = { now: now.toISOString(), actor: 'push' };
  const recorded = await handle(pushNotificationKind, pushNotificationStream(notificationId), {
    type: 'recordOutcome',
    notificationId,
    outcome,
    retryAt: new Date(now.getTime() + delayMs).toISOString(),
    metadata,
  });
  const isDeferred = !recorded.refusal && recorded.state?.step === 'deferred';
  if (isDeferred) onOutcome('deferred');
  else if (outcome.type !== 'not_sent')
    onOutcome(outcome.type === 'unknown' ? 'outcome_unknown' : outcome.type);
  if (outcome.type === 'rejected' && outcome.reason === 'device_not_registered')
    await retireUnregistered(handle, deviceId, metadata.now, metadata);
  return isDeferred ? delayMs : null;
}
