import type { TonNetwork } from '../../../contracts/network';

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
