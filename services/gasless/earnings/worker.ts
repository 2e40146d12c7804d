import { gaslessSendStream } from '../../../contracts/events/gasless-send';
import type { EventStore } from '../../../contracts/ports/event-store';
import type { Jobs } from '../../../contracts/ports/jobs';
import type { Handle } from '../../commands/handle';
import { load } from '../../commands/load';
import { gaslessSendKind } from '../send/decider';
import { commissionJobData, GASLESS_COMMISSIONS } from './jobs';
import { commissionValue } from './value';

export interface CommissionWorkerDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly handle: Handle;
  readonly jobs: Pick<Jobs, 'work'>;
  /** What a TON costs in the currency of the ledger, a decimal; null while nobody knows a price that is new enough. */
  readonly tonPrice: () => Promise<string | null>;
  readonly clock: () => Date;
}

/** Records what confirmed requests have earned, until the signal; while no price of TON is known, later. */
export function workGaslessCommissions(deps: CommissionWorkerDeps, signal: AbortSignal): Promise<void> {
  const { store, handle, jobs, tonPrice, clock } = deps;
  return jobs.work({ queue: GASLESS_COMMISSIONS, signal }, async ({ data }) => {
    const { wallet, seqno, bodyHash } = commissionJobData.parse(data);
    const stream = gaslessSendStream({ network: 'mainnet', wallet, seqno });
    const send = await load(store, gaslessSendKind, stream);
    if (send?.step !== 'confirmed' || send.accepted.bodyHash !== bodyHash || send.earned) return;
    const price = await tonPrice();
    if (price === null) throw new Error('no price of TON in the currency of the ledger is known');
    const { commission, rate } = send.accepted;
    await handle(gaslessSendKind, stream, {
      type: 'earnCommission',
      bodyHash,
      ...commissionValue(commission, rate, price),
      metadata: { now: clock().toISOString(), actor: 'gasless commissions' },
    });
  });
}
