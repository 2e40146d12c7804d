import type { Logger } from 'pino';
import type { TonNodes } from '../../../../../contracts/ports/ton-nodes';
import { messageOf } from '../../../../../contracts/text/error-message';
import type { AnchorDeps } from '../../../../../services/ledger-tree/anchor/deps';
import { provePlace } from '../../../../../services/ledger-tree/anchor/place-proof';
import { networkMode } from '../../../../config/network-settings';
import {
  createLiteserverApi,
  type LiteserverApiOptions,
} from '../../../../engines/ton-blocks/liteserver-api';
import type { Resource } from '../../../feature';
import { placesByNodes } from './places-by-nodes';
import { ANCHOR_SETTINGS, anchorNetwork } from './settings';

export interface PlaceProofs {
  readonly proofOf: AnchorDeps['proofOf'];
}

interface PlaceProofsOptions extends LiteserverApiOptions {
  readonly nodes: Pick<TonNodes, 'read'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Proves places of transactions by the blocks of a source, and says where it could not. */
export function createPlaceProofs({ nodes, logger, ...source }: PlaceProofsOptions) {
  const places = placesByNodes(nodes);
  return {
    async proofOf(transaction, signal) {
      // One of its own: nothing waits behind what goes on after the signal.
      const blocks = createLiteserverApi({ ...source, signal: AbortSignal.any([source.signal, signal]) });
      const { proof, fault } = await provePlace({ blocks, ...places }, transaction);
      await blocks.close();
      if (fault !== null)
        logger.warn(
          {
            proven: proof?.level ?? 'transaction',
            transaction: transaction.hash,
            reason: messageOf(fault),
          },
          'anchor not proven up to the masterchain',
        );
      return proof;
    },
  } satisfies PlaceProofs;
}

const NO_PROOFS: PlaceProofs = { proofOf: null };

/** By the source that the settings name; of a local network its own node is one. */
export const placeProofs: Resource<PlaceProofs> = {
  async open({ config, networks, sources, logger, signal }) {
    const network = anchorNetwork(config);
    if (network === null) return NO_PROOFS;
    const set = config.of(ANCHOR_SETTINGS);
    const isLocal = networkMode(config, { chain: 'ton', network }) === 'local';
    const url = set.LEDGER_ANCHOR_BLOCKS_URL ?? (isLocal ? networks.ton[network][0] : undefined);
    if (url === undefined) return NO_PROOFS;
    const nodes = sources.tonNodes(network);
    return createPlaceProofs({ url, key: set.LEDGER_ANCHOR_BLOCKS_API_KEY, nodes, logger, signal });
  },
};
