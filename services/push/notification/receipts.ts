import { pushNotificationStream } from '../../../contracts/events/push-notification';
import type { Jobs } from '../../../contracts/ports/jobs';
import type { PushReceipt, PushSender } from '../../../contracts/ports/push-sender';
import type { Handle } from '../../commands/handle';
import { retireUnregistered } from '../device/retire';
import { pushNotificationKind } from './decider';
import { PUSH_RECEIPTS, receiptsJob, receiptsJobData, type ReceiptsJob } from './jobs';

export interface ReceiptDeps {
  readonly handle: Handle;
  readonly jobs: Pick<Jobs, 'add' | 'work'>;
  readonly sender: () => Promise<Pick<PushSender, 'receipts'>>;
  readonly clock: () => Date;
  /** `missing`: the sender has said nothing of it, also later. */
  readonly onReceipt: (outcome: PushReceipt['type'] | 'missing') => void;
}

/** Asks whether what was sent has arrived, until the signal. Devices that are gone are retired. */
export function workReceipts(deps: ReceiptDeps, signal: AbortSignal): Promise<void> {
  return deps.jobs.work({ queue: PUSH_RECEIPTS, signal }, ({ data }) =>
    readReceipts(deps, receiptsJobData.parse(data)),
  );
}

/** @throws when the sender does not answer: the job is tried again later */
async function readReceipts(
  { handle, jobs, sender, clock, onReceipt }: ReceiptDeps,
  { sent, sentAt, run }: ReceiptsJob,
): Promise<void> {
  const receipts = await (await sender()).receipts(sent.map(({ ticket }) => ticket));
  const metadata = { now: clock().toISOString(), actor: 'push receipts' };
  for (const { ticket, notificationId, deviceId } of sent) {
    const receipt = receipts.get(ticket);
    if (!receipt) continue;
    const outcome = await handle(pushNotificationKind, pushNotificationStream(notificationId), {
      type: 'recordReceipt',
      notificationId,
      receipt,
      metadata,
    });
    if (outcome.refusal) throw new Error(`notification ${notificationId}: ${outcome.refusal.detail}`);
    onReceipt(receipt.type);
    if (receipt.type === 'undelivered' && receipt.reason === 'device_not_registered')
      await retireUnregistered(handle, deviceId, sentAt, metadata);
  }
  const missing = sent.filter(({ ticket }) => !receipts.has(ticket));
  const next = receiptsJob(missing, sentAt, run + 1);
  if (next) await jobs.add(next);
  else for (const _ of missing) onReceipt('missing');
}
