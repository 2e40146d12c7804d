import { z } from 'zod';
import type { TonNetwork } from '../../../../contracts/network/network';
import { SOLANA_BESIDE } from '../../../../contracts/network/network';
import { networkMode } from '../../../config/network-settings';
import { count, flag, port, type Config } from '../../../config/settings';
import { publicUrlSettings } from '../../settings/public-url';

const webUrl = z.url({ protocol: /^https?$/ }).optional();

export const CARD_SETTINGS = {
  CARD_PORT: port.optional(),
  CARD_TESTNET_PORT: port.optional(),
  CARD_SANDBOX: flag.optional(),
  CARD_WEB_URL: webUrl,
  CARD_TESTNET_WEB_URL: webUrl,
  CARD_INVITATIONS: z
    .string()
    .transform(text => text.split(',').map(id => id.trim()))
    .pipe(z.array(z.string().min(8).max(200)))
    .default([]),
  MAX_CARD_USERS: count.default(1_000_000),
  MAX_CARD_TOKENS: count.default(1_000_000),
  ...publicUrlSettings,
};

/** The card service is a sandbox: where its networks are local ones, unless the settings say otherwise. */
export function isCardOn(config: Config, network: TonNetwork): boolean {
  const areLocal = [
    { chain: 'ton', network } as const,
    { chain: 'solana', network: SOLANA_BESIDE[network] } as const,
  ].every(at => networkMode(config, at) === 'local');
  return config.of(CARD_SETTINGS).CARD_SANDBOX ?? areLocal;
}

/** Null where the settings have none. */
export function cardWebUrl(config: Config, network: TonNetwork): string | null {
  const { CARD_WEB_URL, CARD_TESTNET_WEB_URL, PUBLIC_URL } = config.of(CARD_SETTINGS);
  return (network === 'mainnet' ? CARD_WEB_URL : CARD_TESTNET_WEB_URL) ?? PUBLIC_URL ?? null;
}
