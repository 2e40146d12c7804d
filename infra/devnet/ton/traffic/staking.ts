import { type Address, type MessageRelaxed, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import type { TonNetwork } from '../../../../contracts/network/network';
import { localStakingPools } from '../staking/local-pools';
import { NominatorPool } from '../staking/pool-contract';
import { type MemberFunds, depositBody, withdrawBody } from '../staking/staking';
import { transfer } from '../wallets';
import type { Actor } from './actors';

/** Nanotons: what the last actors stake, the last one first, and what that one withdraws of it. */
const STAKES = [toNano(300), toNano(200)];
const WITHDRAWN = toNano(100);
/** Nanotons: the fee of a deposit or a withdrawal, with its receipt. */
const FEES = toNano('0.2');

export interface LocalStaking {
  /** The actors that are no members of the pool yet deposit their stakes. */
  deposit(): Promise<void>;
  /**
   * One of them withdraws a part: asks for it once it is staked, and takes it once it is ready, some rounds later. Sends one
   * message at most.
   */
  withdraw(): Promise<void>;
}

/** Some actors stake in the first of the pools of the network. */
export function localStaking(
  client: TonClient4,
  network: TonNetwork,
  actors: readonly Actor[],
): LocalStaking {
  const pool = localStakingPools(network)[0]!.address;
  const stakers = actors.slice(-STAKES.length).reverse();
  let hasWithdrawn = false;

  const fundsOf = ({ contract }: Actor): Promise<MemberFunds> =>
    client.open(new NominatorPool(pool)).getMember(contract.address);

  return {
    async deposit() {
      await Promise.all(
        stakers.map(async (staker, i) => {
          const { balance, pendingDeposit, withdraw } = await fundsOf(staker);
          if (balance + pendingDeposit + withdraw > 0n) return;
          await transfer(client, staker, [depositOf(pool, STAKES[i]!)]);
        }),
      );
    },
    async withdraw() {
      if (hasWithdrawn) return;
      const [staker] = stakers;
      const { balance, pendingDeposit, pendingWithdraw, withdraw } = await fundsOf(staker!);
      // A deposit is taken back before anything else.
      if (pendingDeposit + pendingWithdraw > 0n) return;
      if (withdraw > 0n) await transfer(client, staker!, [withdrawalOf(pool, withdraw)]);
      else if (balance >= STAKES[0]!) await transfer(client, staker!, [withdrawalOf(pool, WITHDRAWN)]);
      else hasWithdrawn = true;
    },
  };
}

const depositOf = (pool: Address, stake: bigint): MessageRelaxed =>
  internal({ to: pool, value: stake + FEES, body: depositBody() });

const withdrawalOf = (pool: Address, amount: bigint): MessageRelaxed =>
  internal({ to: pool, value: FEES, body: withdrawBody(amount) });
