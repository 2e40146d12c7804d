import { type Address, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import type { JettonMetadata } from '../jetton/content';
import { type JettonMaster, jettonMaster, mintBody } from '../jetton/jetton';
import { transfer } from '../wallets';
import type { Actor } from './actors';

/** Sends nanotons from the network's faucet. */
export type FundAccount = (address: string, nanotons: bigint) => Promise<unknown>;

export const LOCAL_JETTON: JettonMetadata = {
  name: 'Local Dollar',
  symbol: 'LOCAL',
  decimals: 6,
  description: 'The jetton of a local network: it exists on this machine only and has no value.',
  image: 'https://local.invalid/jetton.png',
};

const TARGET_BALANCE = toNano(1_000);
const MIN_BALANCE = toNano(100);
const INITIAL_JETTONS = 1_000_000n * 10n ** BigInt(LOCAL_JETTON.decimals);

async function balance(client: TonClient4, address: Address): Promise<bigint> {
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccountLite(last.seqno, address);
  return BigInt(account.balance.coins);
}

/** Refills low balances. */
export async function fundActors(
  client: TonClient4,
  actors: readonly Actor[],
  fund: FundAccount,
): Promise<void> {
  await Promise.all(
    actors.map(async ({ contract: { address } }) => {
      const coins = await balance(client, address);
      if (coins < MIN_BALANCE) await fund(address.toRawString(), TARGET_BALANCE - coins);
    }),
  );
}

/** Deploys the jetton and mints to every actor, unless the master exists. */
export async function issueJetton(client: TonClient4, actors: readonly Actor[]): Promise<JettonMaster> {
  const issuer = actors[0]!;
  const master = jettonMaster(issuer.contract.address, LOCAL_JETTON);
  const { last } = await client.getLastBlock();
  if (await client.isContractDeployed(last.seqno, master.address)) return master;
  const mints = actors.map(({ contract }, i) =>
    internal({
      to: master.address,
      value: toNano('0.2'),
      ...(i === 0 ? { init: master.init } : {}),
      body: mintBody({ to: contract.address, amount: INITIAL_JETTONS, value: toNano('0.1') }),
    }),
  );
  await transfer(client, issuer, mints);
  return master;
}
