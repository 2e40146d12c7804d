import { createHash } from 'node:crypto';
import { toNano } from '@ton/core';
import type { TonClient4 } from '@ton/ton';
import type { TonNetwork } from '../../../../contracts/network/network';
import { jettonMaster } from '../jetton/jetton';
import { walletOfKey } from '../wallets';
import { createActors } from './actors';
import { LOCAL_JETTON, LOCAL_MINTLESS, localMintless } from './local-tokens';
import type { FundAccount } from './seed';

const SEED = createHash('sha256').update('Tidemark local relayer').digest();

/** The relayer of gasless transfers of a local network: its key is public, as all of these networks are. */
export interface LocalRelayer {
  /** 32 bytes. */
  readonly privateKey: Buffer;
  /** Raw masters; how many of the jetton a TON costs, decimal, where there is no pool that says it. */
  readonly jettons: readonly {
    readonly master: string;
    readonly decimals: number;
    readonly perTon?: string;
  }[];
}

/** The jetton of the traffic, and the mintless one. */
export function localRelayer(network: TonNetwork): LocalRelayer {
  const admin = createActors(network)[0]!.contract.address;
  return {
    privateKey: SEED,
    jettons: [
      {
        master: jettonMaster(admin, LOCAL_JETTON).address.toRawString(),
        decimals: LOCAL_JETTON.decimals,
      },
      {
        master: localMintless(network).address.toRawString(),
        decimals: LOCAL_MINTLESS.decimals,
        perTon: '3',
      },
    ],
  };
}

const BALANCE = toNano(1_000);
const MIN_BALANCE = toNano(100);

/** Fills its wallet when it is low. */
export async function fundRelayer(client: TonClient4, network: TonNetwork, fund: FundAccount): Promise<void> {
  const { address } = walletOfKey(SEED, 'v5r1', network).contract;
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccountLite(last.seqno, address);
  const coins = BigInt(account.balance.coins);
  if (coins < MIN_BALANCE) await fund(address.toRawString(), BALANCE - coins);
}
