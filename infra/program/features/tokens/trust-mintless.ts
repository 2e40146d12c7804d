import { parseTonAddress } from '../../../../contracts/account/address';
import { tokenStream } from '../../../../contracts/events/token';
import { tokenKind } from '../../../../services/tokens/verification/decider';
import type { TonDevnetDescription } from '../../../devnet/devnet';
import type { ProgramDeps } from '../../feature';

/** Mintless jettons are listed where an operator trusts them. One who does not trust this one any more is not overruled. */
export async function trustMintless(
  { handle, clock, logger }: Pick<ProgramDeps, 'handle' | 'clock' | 'logger'>,
  { network, mintless }: Pick<TonDevnetDescription, 'network' | 'mintless'>,
): Promise<void> {
  const { localNetworkMetadata } = await import('../../../devnet/devnet.js');
  const address = parseTonAddress(mintless)!.raw;
  try {
    await handle(tokenKind, tokenStream(network, address), {
      type: 'set',
      network,
      address,
      verification: 'whitelist',
      metadata: localNetworkMetadata(clock()),
    });
  } catch (error) {
    logger.warn({ err: error, network, address }, 'local token could not be trusted');
  }
}
