import { type Address, internal, toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import type { JettonMetadata } from '../jetton/content';
import { type JettonMaster, jettonMaster, mintBody } from '../jetton/jetton';
import { transfer } from '../wallets';
import type { Actor } from './cast';

/** Sends nanotons from the network's faucet. */
export type Grant = (address: string, nanotons: bigint) => Promise<unknown>;

export const LOCAL_JETTON: JettonMetadata = {
  name: 'Local Dollar',
  symbol: 'LOCAL',
  decimals: 6,
  description: 'The jetton of a local network: it exists on this machine only and is worth nothing.',
  image: 'https://local.invalid/jetton.png',
};

const FULL = toNano(1_000);
const LOW = toNano(100);
const FIRST_JETTONS = 1_000_000n * 10n ** BigInt(LOCAL_JETTON.decimals);

async function balance(client: TonClient4, address: Address): Promise<bigint> {
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccountLite(last.seqno, address);
  return BigInt(account.balance.coins);
}

/** Whoever runs low on coins gets more. */
export async function provision(client: TonClient4, actors: readonly Actor[], grant: Grant): Promise<void> {
  await Promise.all(
    actors.map(async ({ contract: { address } }) => {
      const has = await balance(client, address);
      if (has < LOW) await grant(address.toRawString(), FULL - has);
    }),
  );
}

/** Deploys the jetton and gives everybody their share, once: a master that is there is left alone. */
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
      body: mintBody({ to: contract.address, amount: FIRST_JETTONS, value: toNano('0.1') }),
    }),
  );
  await transfer(client, issuer, mints);
  return master;
}
