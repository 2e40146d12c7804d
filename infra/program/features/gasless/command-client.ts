import type { TonNetwork } from '../../../../contracts/network/network';
import { createTonClient } from '../../../engines/ton-client/ton-client';
import type { Config } from '../../../config/settings';
import type { Tools } from '../../commands/with-engines';
import { findNetworks } from '../../sources/networks';

/** The nodes of a network for a command, which says itself that none answers. */
export async function commandClient(
  config: Config,
  { logger, signal }: Pick<Tools, 'logger' | 'signal'>,
  network: TonNetwork,
) {
  const { ton } = await findNetworks(config);
  const silent = logger.child({}, { level: 'silent' });
  return createTonClient({ urls: ton[network], attempts: 1, logger: silent, signal });
}
