import { z } from 'zod';
import type { StakeOfMember, StakingMemberSubject } from '../../../contracts/chain/ton-staking';
import { TON_NETWORKS } from '../../../contracts/network/network';
import type { ObservedReader } from '../../../contracts/observation/reader';
import type { Jobs, NewJob } from '../../../contracts/ports/jobs';
import { backoffMs } from '../../../contracts/retry/backoff';
import { JOB_RETENTION_MS } from '../../reactions/event-reaction';
import { ATTEMPTS } from '../notification/jobs';
import { causeJob } from './reactions';

export const PUSH_STAKING_WITHDRAWALS = 'push-staking-withdrawals';

/** A member of a pool who has asked for some of its stake, after a round has ended. */
const awaitedWithdrawal = z.object({
  account: z.object({ chain: z.literal('ton'), network: z.enum(TON_NETWORKS), address: z.string() }),
  /** Raw. */
  pool: z.string(),
  /** Start of the round in Unix seconds. */
  round: z.int(),
  /** The first block (seqno of the masterchain) after its end. */
  seqno: z.int(),
  /** From 1. */
  run: z.int(),
});
export type AwaitedWithdrawal = z.output<typeof awaitedWithdrawal>;

/** The controller of a pool makes withdrawals ready before it stakes again, minutes or hours after the round. */
const [MIN_WAIT_MS, MAX_WAIT_MS] = [5_000, 10 * 60_000];
/** About three days: by then another round has ended. */
const MAX_RUNS = 440;

/** Looks whether it is ready. Each look adds the next one. */
export function withdrawalJob(awaited: AwaitedWithdrawal): NewJob {
  const { account, pool, round, run } = awaited;
  return {
    queue: PUSH_STAKING_WITHDRAWALS,
    id: `${account.network}/${account.address}/${pool}/${round}/${run}`,
    data: awaited,
    delayMs: backoffMs(run - 1, MIN_WAIT_MS, MAX_WAIT_MS),
    attempts: ATTEMPTS,
    keepIdMs: JOB_RETENTION_MS,
  };
}

export interface StakingWithdrawalsDeps {
  readonly jobs: Pick<Jobs, 'add' | 'work'>;
  /** What members have in pools. */
  readonly stakes: Pick<ObservedReader<StakingMemberSubject, StakeOfMember>, 'find' | 'request'>;
  readonly clock: () => Date;
}

/** Notifies members of pools of withdrawals that have become ready, until the signal. */
export function workStakingWithdrawals(
  { jobs, stakes, clock }: StakingWithdrawalsDeps,
  signal: AbortSignal,
): Promise<void> {
  return jobs.work({ queue: PUSH_STAKING_WITHDRAWALS, concurrency: 16, signal }, async ({ data }) => {
    const awaited = awaitedWithdrawal.parse(data);
    const { account, pool, round, seqno, run } = awaited;
    const subject = { network: account.network, member: account.address, pool };
    const found = await stakes.find(subject);
    const outcome = found && (found.height ?? 0) >= seqno ? withdrawalOf(found.data) : 'pending';
    if (outcome === 'ready')
      await jobs.add({
        ...causeJob({ kind: 'staking_withdrawal', account, pool, round, at: clock().toISOString() }),
        keepIdMs: JOB_RETENTION_MS,
      });
    if (outcome !== 'pending' || run >= MAX_RUNS) return;
    await stakes.request(subject);
    await jobs.add(withdrawalJob({ ...awaited, run: run + 1 }));
  });
}

/** `none`: it was taken back, by a deposit for example, or is paid already. */
export function withdrawalOf({
  pendingWithdraw,
  withdraw,
}: Pick<StakeOfMember, 'pendingWithdraw' | 'withdraw'>): 'pending' | 'ready' | 'none' {
  if (pendingWithdraw !== '0') return 'pending';
  return withdraw === '0' ? 'none' : 'ready';
}
