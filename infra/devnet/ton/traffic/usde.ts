import { type Address, internal, toNano } from '@ton/core';
import { JettonWallet, type TonClient4 } from '@ton/ton';
import type { TonNetwork } from '../../../../contracts/network/network';
import { jettonTransferBody, jettonWalletAddress } from '../jetton/jetton';
import { localUsde } from '../usde/local-usde';
import { USDE_VALUE, claimBody, stakeBody, stakedWalletAddress, unstakeBody } from '../usde/usde';
import { StakedUsdeWallet, UsdeVault } from '../usde/usde-contracts';
import { transfer } from '../wallets';
import type { Actor } from './actors';

/** Units of USDe that an actor stakes, and units of tsUSDe that it unstakes of them. */
const STAKE = 1_000_000_000n;
const UNSTAKED = 100_000_000n;
/** Seconds of the chain. Rewards come as often as those of Ethena do. */
const REWARD_INTERVAL = 8 * 3_600;
const YEAR = 31_536_000n;
/** Percent of the assets in a year. */
const YEARLY_REWARD = 5n;

export interface LocalUsde {
  /** One actor that has staked nothing stakes, later unstakes a part, and claims that. Sends one message at most. */
  stake(): Promise<void>;
  /** The issuer pays the rewards of the time since the last ones, once that is long enough. Sends one message at most. */
  reward(): Promise<void>;
}

/** The last actor but one stakes USDe. */
export function localUsdeTraffic(
  client: TonClient4,
  network: TonNetwork,
  actors: readonly Actor[],
): LocalUsde {
  const { usde, stakedUsde, vault } = localUsde(network);
  const [issuer, staker] = [actors[0]!, actors.at(-2)!];
  const owner = staker.contract.address;
  const wallet = stakedWalletAddress(stakedUsde, owner);
  const usdeWallet = (of: Actor): Address => jettonWalletAddress(usde, of.contract.address);
  let hasClaimed = false;

  const send = (from: Actor, to: Address, body: ReturnType<typeof stakeBody>): Promise<void> =>
    transfer(client, from, [internal({ to, value: USDE_VALUE, body })]);

  return {
    async stake() {
      if (hasClaimed) return;
      const { last, now } = await client.getLastBlock();
      if (!(await client.isContractDeployed(last.seqno, wallet))) {
        await send(staker, usdeWallet(staker), stakeBody({ to: vault, amount: STAKE, response: owner }));
        return;
      }
      const [balance, { locked, unlockAt }] = await Promise.all([
        client.open(JettonWallet.create(wallet)).getBalance(),
        client.open(new StakedUsdeWallet(wallet)).getTimelock(),
      ]);
      if (locked > 0n) {
        if (unlockAt > now) return;
        await send(staker, wallet, claimBody({ to: stakedUsde, amount: locked, response: owner }));
        hasClaimed = true;
      } else if (unlockAt === 0 && balance >= UNSTAKED) {
        await send(staker, wallet, unstakeBody({ to: stakedUsde, amount: UNSTAKED, response: owner }));
      } else hasClaimed = true;
    },
    async reward() {
      const { now } = await client.getLastBlock();
      const { assets, rewardedAt } = await client.open(new UsdeVault(vault)).getVault();
      const elapsed = now - rewardedAt;
      if (elapsed < REWARD_INTERVAL) return;
      const seconds = BigInt(rewardedAt === 0 ? REWARD_INTERVAL : elapsed);
      const response = issuer.contract.address;
      const amount = (assets * YEARLY_REWARD * seconds) / (100n * YEAR);
      const body = jettonTransferBody({ to: vault, amount, response, forwardValue: toNano('0.05') });
      await send(issuer, usdeWallet(issuer), body);
    },
  };
}
