import type { HandoversOf } from '../../../projections/gasless/sends';
import type { MessageReaction } from '../../reactions/message-reaction';
import { handoverJob } from '../handover/outcome-worker';
import { takenBackReaction, workTakenBack, type TakenBackDeps, type TakenBackJob } from './taken-back';

const GASLESS_HANDOVER_FORKS = 'gasless-handover-forks';

interface HandoversDeps {
  /** Those that are recorded as ended by one of the transactions. */
  readonly handoversOf: HandoversOf;
}

const endedBy = ({ handoversOf }: HandoversDeps, { network, account, transaction, traces }: TakenBackJob) =>
  handoversOf(
    network,
    account,
    [transaction, ...traces].map(({ hash }) => hash),
  );

/** When a fork takes back something of a wallet, what a request has caused that was handed over may have changed. */
export function handoverForks(deps: HandoversDeps): MessageReaction {
  return takenBackReaction(GASLESS_HANDOVER_FORKS, async found => (await endedBy(deps, found)).length > 0);
}

export interface HandoverForkDeps extends TakenBackDeps, HandoversDeps {}

/** Has what became of the requests read again, until the signal. */
export function workHandoverForks(deps: HandoverForkDeps, signal: AbortSignal): Promise<void> {
  return workTakenBack(deps, GASLESS_HANDOVER_FORKS, signal, async job => {
    const { network, account: wallet, occasion } = job;
    return (await endedBy(deps, job)).map(({ seqno, bodyHash }) =>
      handoverJob({ network, wallet, seqno, bodyHash, revision: 0, occasion, run: 1 }),
    );
  });
}
