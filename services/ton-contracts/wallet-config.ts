import type { z } from 'zod';
import { formatTonAddress } from '../../contracts/account/address';
import { messagesPerTransaction, type TonContract } from '../../contracts/chain/ton-contract';
import { immutable } from '../../contracts/http/immutable-response';
import type { walletConfig } from '../../contracts/http/ton/contracts';
import type { TonNetwork } from '../../contracts/network/network';
import { codeStaleAfterMs } from './info';
import type { ContractView } from '../read-ton-contract';

type WalletConfig = z.input<NonNullable<typeof walletConfig.response>>;

/** The configuration of the wallet that is this contract; null: nothing is known of the contract. @param pools raw */
export function walletConfigOf(
  contract: TonContract | null,
  network: TonNetwork,
  pools: readonly string[],
): WalletConfig {
  const version = contract?.kind === 'wallet' ? contract.version : null;
  const open = pools.map(pool => formatTonAddress(pool, network));
  const [recommended] = open;
  return immutable({
    version,
    type: contract?.kind ?? null,
    messagesPerTransaction: version && messagesPerTransaction(version),
    pools: open,
    ...(recommended !== undefined && { recommended }),
  });
}

/** What a wallet can do, by its version. */
export function walletConfigView(
  pools: Readonly<Record<TonNetwork, readonly string[]>>,
): ContractView<WalletConfig> {
  return {
    name: 'TON wallet config',
    response: ({ data: { contract } }, { network }) => walletConfigOf(contract, network, pools[network]),
    staleAfterMs: codeStaleAfterMs,
  };
}
