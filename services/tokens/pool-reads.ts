import type { TonAccount } from '../../contracts/account/ton-account';
import type { JettonPoolObserved } from '../../contracts/chain/ton-token-observations';
import { addressKey } from '../../contracts/http/address-key';
import type { JettonMetadata } from '../../contracts/http/tokens/tokens';
import type { TonNetwork } from '../../contracts/network/network';
import { addressFormatter } from '../../projections/ton/format-address';
import type { AnyCall } from '../http/call';
import type { ReadJetton } from './contract-reads';
import type { TokenDeps } from './deps';
import { jettonFields, NOT_A_MASTER } from './jetton-fields';

/** Reads what a jetton is a share of, where it is one of a pool: the exchange and what is in it. */
export type ReadPool = (
  account: TonAccount,
  call: AnyCall,
) => Promise<Pick<JettonMetadata, 'pool' | 'assets'>>;

export function createPoolReads(
  deps: Pick<TokenDeps, 'pools' | 'gatewayUrl' | 'publicUrl'>,
  jetton: ReadJetton,
): ReadPool {
  const { pools } = deps;

  async function poolOf(
    { network, address }: TonAccount,
    call: AnyCall,
  ): Promise<Pick<JettonMetadata, 'pool' | 'assets'>> {
    // The exchanges are on mainnet alone.
    if (network !== 'mainnet') return {};
    const subject = { network, address };
    const found = await pools.readDerived(
      subject,
      {
        find: () => pools.find(subject),
        isStale: ({ at }) => pools.isStale(at),
      },
      { caller: addressKey(call.ip) },
    );
    if (!found?.data) return {};
    const { exchange, assets } = found.data;
    const [first, second] = assets;
    return {
      pool: exchange,
      assets: [await assetOf(first, network, call), await assetOf(second, network, call)],
    };
  }

  async function assetOf(
    asset: NonNullable<JettonPoolObserved>['assets'][number],
    network: TonNetwork,
    call: AnyCall,
  ): Promise<NonNullable<JettonMetadata['assets']>[number]> {
    if (asset.type === 'native') return asset;
    const { address } = asset;
    const found = await jetton({ chain: 'ton', network, address }, call).catch(() => null);
    return {
      type: 'jetton',
      address: addressFormatter(network)(address),
      metadata: found?.jetton ? jettonFields(deps, found.jetton, { network, address }, call) : NOT_A_MASTER,
    };
  }

  return poolOf;
}
