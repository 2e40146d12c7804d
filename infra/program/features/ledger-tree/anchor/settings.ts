import { join } from 'node:path';
import { z } from 'zod';
import { TON_NETWORKS, type TonNetwork } from '../../../../../contracts/network/network';
import { writtenNumber } from '../../../../../contracts/text/written-number';
import { openAnchorKey } from '../../../../../services/ledger-tree/anchor/key';
import type { WalletKey } from '../../../../../services/wallet-v5/wallet-v5';
import { inDataDir } from '../../../../config/data-dir';
import { networkMode, networkSetting } from '../../../../config/network-settings';
import { securedUrl, type Config } from '../../../../config/settings';

export const ANCHOR_SETTINGS = {
  LEDGER_ANCHOR_NETWORK: z.enum([...TON_NETWORKS, 'off']).optional(),
  LEDGER_ANCHOR_MINUTES: writtenNumber.int().min(1).max(10_080).default(60),
  LEDGER_ANCHOR_KEY_FILE: z.string().min(1).optional(),
  /** Of TonAPI, or of an own one, which may be under a path: it answers under `/v2/liteserver` there. */
  LEDGER_ANCHOR_BLOCKS_URL: securedUrl
    .refine(url => !/[?#]/.test(url), 'an address without a query and a fragment')
    .optional(),
  LEDGER_ANCHOR_BLOCKS_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/, 'must be a key of TonAPI')
    .optional(),
};

/**
 * The network on which heads are anchored; null where they are not. On real networks it costs coins, so that somebody has to ask for
 * it; where all of TON that is followed is local, it is on.
 */
export function anchorNetwork(config: Config): TonNetwork | null {
  const { LEDGER_ANCHOR_NETWORK: given } = config.of(ANCHOR_SETTINGS);
  if (given !== undefined) return given === 'off' ? null : given;
  const modeOf = (network: TonNetwork) => networkMode(config, { chain: 'ton', network });
  if (TON_NETWORKS.some(network => modeOf(network) === 'real')) return null;
  return (['testnet', 'mainnet'] as const).find(network => modeOf(network) === 'local') ?? null;
}

export function checkAnchorSettings(config: Config, context: z.RefinementCtx): void {
  const { LEDGER_ANCHOR_BLOCKS_URL: url, LEDGER_ANCHOR_BLOCKS_API_KEY: key } = config.of(ANCHOR_SETTINGS);
  if (key !== undefined && url === undefined)
    context.addIssue({
      code: 'custom',
      path: ['LEDGER_ANCHOR_BLOCKS_API_KEY'],
      message: 'there is no LEDGER_ANCHOR_BLOCKS_URL that it is the key of',
    });
  const network = anchorNetwork(config);
  if (network === null || networkMode(config, { chain: 'ton', network }) !== 'off') return;
  context.addIssue({
    code: 'custom',
    path: ['LEDGER_ANCHOR_NETWORK'],
    message: `nothing is sent on TON ${network}, which is off (${networkSetting({ chain: 'ton', network })}=off)`,
  });
}

/** The key of the wallet, created at the first start. @throws UnusableSecretFile, CannotOpen */
export function openAnchorKeyFile(config: Config): Promise<WalletKey> {
  const file = config.of(ANCHOR_SETTINGS).LEDGER_ANCHOR_KEY_FILE;
  if (file !== undefined) return openAnchorKey(file);
  return inDataDir(config.DATA_DIR, () => openAnchorKey(join(config.DATA_DIR, 'keys', 'anchor.json')));
}
