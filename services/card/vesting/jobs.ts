import { z } from 'zod';
import {
  CARD_VESTING_CATEGORY,
  cardVestingEvents,
  cardVestingStream,
  vestingPayoutId,
} from '../../../contracts/events/card-vesting';
import { ATTEMPTS_FOR_A_WEEK, type Jobs } from '../../../contracts/ports/jobs';
import { findDueVestings } from '../../../projections/card/vestings';
import type { Views } from '../../../projections/views';
import type { Handle } from '../../commands/handle';
import { transferJob } from '../prepaid/jobs';
import type { Reaction } from '../../reactions/event-reaction';
import { cardVestingKind } from './decider';

const CARD_VESTINGS_DUE = 'card-vestings-due';
const CARD_PAYOUTS = 'card-payouts';
const DUE_EVERY_MS = 10_000;
/** At a time: the next look finds the rest. */
const MAX_DUE = 1_000;

const payoutJob = z.object({ vestingId: z.string() });

/** Starts a job for each payout: the account of the beneficiary receives it. */
export const cardPayouts: Reaction = {
  name: CARD_PAYOUTS,
  categories: [CARD_VESTING_CATEGORY],
  from: 'beginning',
  jobs(recorded) {
    const { type, data } = cardVestingEvents.read(recorded);
    if (type !== 'CardVestingPaidOut') return [];
    const { vestingId, number, amount, currency, beneficiaryAccountId } = data;
    const side = { cardId: null, amount, currency };
    const transfer = {
      from: { accountId: vestingId, ...side },
      to: { accountId: beneficiaryAccountId, ...side },
      rate: { units: '1', per: '1' },
    };
    return [transferJob(recorded.id, vestingPayoutId(vestingId, number), transfer)];
  },
};

export interface VestingJobsDeps {
  readonly jobs: Pick<Jobs, 'add' | 'schedule' | 'work'>;
  readonly views: Pick<Views, 'find'>;
  readonly handle: Handle;
  readonly clock: () => Date;
}

/** Adds a job for each vesting account of which a period has ended, regularly, until the signal. */
export async function workDueVestings(
  { jobs, views, clock }: Omit<VestingJobsDeps, 'handle'>,
  signal: AbortSignal,
): Promise<void> {
  await jobs.schedule({ queue: CARD_VESTINGS_DUE, id: 'look', everyMs: DUE_EVERY_MS, data: {} });
  await jobs.work({ queue: CARD_VESTINGS_DUE, signal }, async () => {
    const due = await findDueVestings(views, clock().toISOString(), MAX_DUE);
    for (const { vestingId, nextPeriod } of due) {
      const id = `${vestingId}/${nextPeriod}`;
      await jobs.add({ queue: CARD_PAYOUTS, id, data: { vestingId }, attempts: ATTEMPTS_FOR_A_WEEK });
    }
  });
}

/** Pays out what is due until the signal: once for each period, however often it is asked for. */
export function workPayouts(
  { jobs, handle, clock }: Omit<VestingJobsDeps, 'views'>,
  signal: AbortSignal,
): Promise<void> {
  return jobs.work({ queue: CARD_PAYOUTS, signal }, async ({ data }) => {
    const { vestingId } = payoutJob.parse(data);
    const metadata = { now: clock().toISOString(), actor: CARD_PAYOUTS };
    const outcome = await handle(cardVestingKind, cardVestingStream(vestingId), { type: 'payOut', metadata });
    if (outcome.refusal) throw new Error(`vesting account ${vestingId}: ${outcome.refusal.detail}`);
  });
}
