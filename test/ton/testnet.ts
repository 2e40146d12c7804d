import { toNano, type Address } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { localWallet, type LocalWallet } from '../../infra/devnet/ton/wallets';
import { startLocalNetwork, type LocalNetwork, type LocalNetworkOptions } from './network';

/** A local testnet with two wallets. */
export interface Testnet {
  readonly network: LocalNetwork;
  /** The client that a wallet app has. */
  readonly client: TonClient4;
  /** A v5r1 with 50 TON. */
  readonly alice: LocalWallet;
  /** A v4r2 with 50 TON. */
  readonly bob: LocalWallet;
}

/**
 * Starts a local testnet for the tests of one file.
 * @param watched whether the wallets are watched before their first transaction; otherwise their first read backfills them
 */
export async function startTestnet({
  watched,
  ...options
}: LocalNetworkOptions & { readonly watched: boolean }): Promise<Testnet> {
  const network = await startLocalNetwork('testnet', options);
  const client = new TonClient4({ endpoint: network.devnet.url, timeout: 60_000 });
  const alice = localWallet('alice', 'v5r1', 'testnet');
  const bob = localWallet('bob', 'v4r2', 'testnet');
  for (const wallet of [alice, bob]) {
    if (watched) await network.watch(rawOf(wallet));
    await network.devnet.faucet(rawOf(wallet), toNano(50));
  }
  return { network, client, alice, bob };
}

/** As testnet addresses are shown. */
export function friendly(address: Address): string {
  return address.toString({ testOnly: true });
}

export function addressOf({ contract }: LocalWallet): string {
  return friendly(contract.address);
}

export function rawOf({ contract }: LocalWallet): string {
  return contract.address.toRawString();
}
