import { TON_NETWORKS, type TonNetwork } from '../../../../contracts/network/network';
import type { GaslessUpstream } from '../../../../contracts/ports/gasless-upstream';
import { networkMode } from '../../../config/network-settings';
import type { Resource } from '../../feature';
import { openSharedBudget } from '../../sources/shared-budget';
import { GASLESS_SETTINGS } from './settings';

interface Upstreams {
  /** Null where our own relayer is used, if there is one. */
  of(network: TonNetwork): GaslessUpstream | null;
  close(): Promise<void>;
}

/** The relayers of somebody else. No local network has one: TonAPI does not know its accounts. */
export const gaslessUpstreams: Resource<Upstreams> = {
  async open({ config, logger }) {
    const set = config.of(GASLESS_SETTINGS);
    if (set.GASLESS_RELAYER === 'self') return { of: () => null, close: () => Promise.resolve() };
    const { createTonapi } = await import('../../../engines/gasless-upstream/tonapi.js');
    const { createRequestBudget } = await import('../../../engines/request-budget/budget.js');
    const perSecond = set.GASLESS_TONAPI_REQUESTS_PER_SECOND;
    const shared = await openSharedBudget({ config, logger }, { of: 'gasless-tonapi', perSecond });
    const budget = createRequestBudget({ perSecond, shared });
    const key = set.GASLESS_TONAPI_API_KEY;
    const urls = { mainnet: set.GASLESS_TONAPI_URL_MAINNET, testnet: set.GASLESS_TONAPI_URL_TESTNET };
    const upstreams = new Map(
      TON_NETWORKS.filter(network => networkMode(config, { chain: 'ton', network }) === 'real').map(
        network => [network, createTonapi({ url: urls[network], key, budget })] as const,
      ),
    );
    return {
      of: network => upstreams.get(network) ?? null,
      async close() {
        await Promise.all([...upstreams.values()].map(upstream => upstream.close()));
        await shared?.close();
      },
    };
  },
  close: upstreams => upstreams.close(),
};
