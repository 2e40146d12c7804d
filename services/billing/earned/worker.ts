import type { Logger } from 'pino';
import type { FeeRequest } from '../../../contracts/http/billing/fees';
import type { Jobs } from '../../../contracts/ports/jobs';
import { executeFees, type FeeDeps } from '../fee/commands';
import { earnedFee, earnedFeeId, earnedRows } from './earned-fee';
import { EARNED_FEES } from './reaction';

export interface EarnedFeeDeps extends FeeDeps {
  readonly jobs: Pick<Jobs, 'work'>;
  readonly logger: Logger;
  /** RFC 3339 UTC instant with milliseconds. */
  readonly now: () => string;
}

/**
 * Records commissions as fees, and reverses or waives those that were not earned, until the signal. An existing fee does not change
 * otherwise; a refusal fails the job.
 */
export function workEarnedFees(deps: EarnedFeeDeps, signal: AbortSignal): Promise<void> {
  return deps.jobs.work({ queue: EARNED_FEES, signal }, async ({ id, data }) => {
    const fee = earnedFee.parse(data);
    const execute = async (requests: readonly FeeRequest[], commandId: string) => {
      const metadata = { now: deps.now(), actor: `wallet/${fee.source}`, reference: fee.reference };
      const { results } = await executeFees(deps, requests, { ...metadata, commandId });
      return results.find(({ problem }) => problem)?.problem;
    };
    let problem = await execute(earnedRows(fee), id);
    // It was collected meanwhile.
    if (fee.status === 'waived' && problem?.code === 'fee_not_pending')
      problem = await execute([{ action: 'reverse', id: earnedFeeId(fee) }], `${id}/collected`);
    if (!problem) return;
    deps.logger.error({ fee: id, source: fee.source, problem }, 'earned fee refused');
    throw new Error(`fee ${id} was refused: ${problem.detail}`);
  });
}
