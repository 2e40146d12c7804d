import { type MessageRelaxed, internal, toNano } from '@ton/core';
import type { LocalStakingPool, LocalValidator } from './local-pools';
import type { PoolStep } from './next-step';
import {
  type Candidate,
  acceptStakesBody,
  acceptWithdrawsBody,
  finalizeLockBody,
  signedStake,
  stakeRecoverBody,
  stakeSendBody,
} from './staking';

/** Nanotons that a pool asks of its controller. */
const ACCEPT_VALUE = toNano(5);
export const STAKE_VALUE = toNano(2);
export const RECOVER_VALUE = toNano(2);
export const FINALIZE_VALUE = toNano('0.2');

/** In 65,536ths. */
const MAX_FACTOR = 3 << 16;

/** What a validator stakes for a round, signed. */
export function signedCandidate(
  { key, adnl, proxy }: LocalValidator,
  stakeAt: number,
): readonly [Candidate, Buffer] {
  const candidate = { publicKey: key.publicKey, stakeAt, maxFactor: MAX_FACTOR, adnl };
  return [candidate, key.sign(signedStake(candidate, proxy))];
}

/** What the controller sends so that a pool makes a step. */
export function poolMessages(step: PoolStep, pool: LocalStakingPool, queryId: bigint): MessageRelaxed[] {
  const to = pool.address;
  switch (step.type) {
    case 'accept':
      return [
        ...(step.withdraws.length > 0 ? [acceptWithdrawsBody(step.withdraws, queryId)] : []),
        ...(step.deposits.length > 0 ? [acceptStakesBody(step.deposits, queryId)] : []),
      ].map(body => internal({ to, value: ACCEPT_VALUE, body }));
    case 'stake': {
      const [candidate, signature] = signedCandidate(pool, step.stakeAt);
      const body = stakeSendBody(step.amount, candidate, signature, queryId);
      return [internal({ to, value: STAKE_VALUE, body })];
    }
    case 'finalize':
      return [internal({ to, value: FINALIZE_VALUE, body: finalizeLockBody(queryId) })];
    case 'recover':
      return [internal({ to, value: RECOVER_VALUE, body: stakeRecoverBody(queryId) })];
  }
}
