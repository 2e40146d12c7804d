import { type Cell, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import type { TonNetwork } from '../../../../contracts/network/network';
import {
  ROUNDS_TO_WAIT,
  liquidCollectBody,
  liquidDepositBody,
  liquidWalletAddress,
  liquidWithdrawBody,
} from '../staking/liquid/liquid';
import { LiquidPool, LiquidWallet } from '../staking/liquid/liquid-contracts';
import { localLiquidPool } from '../staking/liquid/local-liquid-pool';
import { transfer } from '../wallets';
import type { Actor } from './actors';

/** Nanotons that an actor stakes, and jettons of these that it withdraws. */
const STAKE = toNano(100);
const WITHDRAWN = toNano(30);
/** Nanotons: the fee of a deposit, a withdrawal or a collection, with its receipt. */
const FEES = toNano('0.2');

export interface LocalLiquidStaking {
  /** Stakes, unless the actor has done so before. */
  deposit(): Promise<void>;
  /** Withdraws a part, and collects it once it is due, some rounds later. Sends one message at most. */
  withdraw(): Promise<void>;
}

/** An actor stakes in the liquid pool of the network. */
export function localLiquidStaking(
  client: TonClient4,
  network: TonNetwork,
  staker: Actor,
): LocalLiquidStaking {
  const { address: pool } = localLiquidPool(network);
  const owner = staker.contract.address;
  const wallet = client.open(new LiquidWallet(liquidWalletAddress({ pool, owner })));
  let hasWithdrawn = false;

  async function hasWallet(): Promise<boolean> {
    const { last } = await client.getLastBlock();
    return client.isContractDeployed(last.seqno, wallet.address);
  }

  const send = (value: bigint, body: Cell): Promise<void> =>
    transfer(client, staker, [internal({ to: pool, value, body })]);

  return {
    async deposit() {
      if (await hasWallet()) return;
      await send(STAKE + FEES, liquidDepositBody({ amount: STAKE, response: owner }));
    },
    async withdraw() {
      if (hasWithdrawn || !(await hasWallet())) return;
      const rounds = [...(await wallet.getPendingWithdrawals()).keys()];
      if (rounds.length > 0) {
        const { roundId } = await client.open(new LiquidPool(pool)).getPoolStatus();
        if (Math.min(...rounds) + ROUNDS_TO_WAIT > roundId) return;
        await send(FEES, liquidCollectBody({ response: owner }));
      } else if ((await wallet.getWalletData()).balance > STAKE - WITHDRAWN) {
        await send(FEES, liquidWithdrawBody({ jettons: WITHDRAWN, response: owner }));
      } else hasWithdrawn = true;
    },
  };
}
