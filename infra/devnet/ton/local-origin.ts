import { LOCAL_APP_ORIGIN } from '../../../contracts/chain/local-app';
import { LOCAL_MARKET_ORIGIN } from '../../../contracts/chain/local-market';
import type { TonNetwork } from '../../../contracts/network/network';

/**
 * Where the tokens of a local network say that their documents are. The name resolves nowhere (RFC 6761): the program reads
 * them from the network itself, whose port is another one on each machine.
 */
export function localTokenOrigin(network: TonNetwork): string {
  return `https://${network}.local.invalid`;
}

/** The path under which a local network serves them. */
export const TOKEN_DOCUMENTS_PATH = '/token-documents';

/** The path under which the local application is served. */
export const LOCAL_APP_PATH = '/local-app';

/** The path under which the local market is served. */
export const LOCAL_MARKET_PATH = '/market';

/**
 * Of local networks of TON: the origins of the market, the application and that tokens name, and the base URL to read each from.
 * @param local each with the base URL of its node
 */
export function localOrigins(
  local: readonly (readonly [network: TonNetwork, url: string])[],
): ReadonlyMap<string, string> {
  return new Map(
    local.flatMap(([network, url]) => [
      [localTokenOrigin(network), `${url}${TOKEN_DOCUMENTS_PATH}`],
      // The local network of mainnet has the local market and the local application.
      ...(network === 'mainnet'
        ? [
            [LOCAL_MARKET_ORIGIN, `${url}${LOCAL_MARKET_PATH}`] as const,
            [LOCAL_APP_ORIGIN, `${url}${LOCAL_APP_PATH}`] as const,
          ]
        : []),
    ]),
  );
}
