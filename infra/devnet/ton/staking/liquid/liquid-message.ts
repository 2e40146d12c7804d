import { type MessageRelaxed, internal, toNano } from '@ton/core';
import { FINALIZE_VALUE, RECOVER_VALUE, STAKE_VALUE, signedCandidate } from '../pool-messages';
import { finalizeStakeBody, liquidStakeSendBody, recoverStakeBody, startRoundBody } from './liquid';
import type { LocalLiquidPool } from './local-liquid-pool';
import type { LiquidStep } from './next-liquid-step';

/** Nanotons. */
const ROUND_VALUE = toNano('0.2');

/** What the controller sends so that a liquid pool makes a step. */
export function liquidMessage(
  step: LiquidStep,
  { address: to, validators }: Pick<LocalLiquidPool, 'address' | 'validators'>,
  queryId: bigint,
): MessageRelaxed {
  switch (step.type) {
    case 'round':
      return internal({ to, value: ROUND_VALUE, body: startRoundBody(step.electAt, queryId) });
    case 'stake': {
      const [candidate, signature] = signedCandidate(validators[step.proxy], step.stakeAt);
      const body = liquidStakeSendBody(step.amount, candidate, signature, queryId);
      return internal({ to, value: STAKE_VALUE, body });
    }
    case 'finalize':
      return internal({ to, value: FINALIZE_VALUE, body: finalizeStakeBody(step.proxy, queryId) });
    case 'recover':
      return internal({ to, value: RECOVER_VALUE, body: recoverStakeBody(step.proxy, queryId) });
  }
}
