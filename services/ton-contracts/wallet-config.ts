import type { z } from 'zod';
import { formatTonAddress } from '../../contracts/account/address';
import { messagesPerTransaction, type TonContract } from '../../contracts/chain/ton-contract';
import { immutable } from '../../contracts/http/immutable-response';
import type { walletConfig } from '../../contracts/http/ton/contracts';
import type { TonNetwork } from '../../contracts/network/network';
import { codeStaleAfterMs } from './info';
import type { ContractView } from '../reads/read-ton-contract';
import type { OfferedPools } from './offered-pools';

type WalletConfig = z.input<NonNullable<typeof walletConfig.response>>;

/** The configuration of the wallet that is this contract; null: nothing is known of the contract. */
export function walletConfigOf(
  contract: TonContract | null,
  network: TonNetwork,
  { pools, recommended }: OfferedPools,
): WalletConfig {
  const version = contract?.kind === 'wallet' ? contract.version : null;
  const format = (pool: string): string => formatTonAddress(pool, network);
  return immutable({
    version,
    type: contract?.kind ?? null,
    messagesPerTransaction: version && messagesPerTransaction(version),
    pools: pools.map(format),
    ...(recommended !== null && { recommended: format(recommended) }),
  });
}

/** What a wallet can do, by its version, and the pools that it may use. */
export function walletConfigView(offered: OfferedPools): ContractView<WalletConfig> {
  return {
    name: `TON wallet config ${JSON.stringify(offered)}`,
    response: ({ data: { contract } }, { network }) => walletConfigOf(contract, network, offered),
    staleAfterMs: codeStaleAfterMs,
  };
}
