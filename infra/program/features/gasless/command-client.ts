import type { TonNetwork } from '../../../../contracts/network/network';
import { createNetworkIdentity } from '../../../../indexers/network-identity';
import { withLocalOrigins } from '../../../engines/public-web/local-origins';
import { createPublicWeb } from '../../../engines/public-web/public-web';
import { createTonClient } from '../../../engines/ton-client/ton-client';
import type { Config } from '../../../config/settings';
import type { Tools } from '../../commands/with-engines';
import { findNetworks } from '../../sources/networks';
import { documentDecimals, type MasterReader } from './read-master';

/**
 * The nodes of a network for a command, which says itself that none answers. Every call rejects with `WrongNetwork` where they
 * serve another network than the one of this name that the program has indexed.
 * @throws WrongSettings when it is not known where they are
 */
export async function commandClient(
  config: Config,
  { engines: { documents }, logger, signal }: Tools,
  network: TonNetwork,
) {
  const { ton } = await findNetworks(config);
  const silent = logger.child({}, { level: 'silent' });
  const pinned = network === 'mainnet' ? config.TON_ZEROSTATE_MAINNET : config.TON_ZEROSTATE_TESTNET;
  const identity = createNetworkIdentity({
    chain: 'ton',
    network,
    documents,
    logger: silent,
    pinned,
    readOnly: true,
  });
  return createTonClient({ urls: ton[network], identity, attempts: 1, logger: silent, signal });
}

/** What masters are read with beside the nodes of their network. */
export async function withMasterReader<Result>(
  config: Config,
  { signal }: Pick<Tools, 'signal'>,
  run: (reader: Omit<MasterReader, 'client'>) => Promise<Result>,
): Promise<Result> {
  // Where it is not known where local networks are, their documents are not either.
  const networks = await findNetworks(config).catch(() => null);
  const web = createPublicWeb();
  try {
    const decimalsAt = documentDecimals(withLocalOrigins(web, networks?.localOrigins ?? new Map()), signal);
    return await run({ decimalsAt, clock: () => new Date() });
  } finally {
    await web.close();
  }
}
