import { toNano } from '@ton/core';
import { z } from 'zod';
import { parseTonAddress } from '../../../../contracts/account/address';
import { TON_NETWORKS, type TonNetwork } from '../../../../contracts/network/network';
import { writtenNumber } from '../../../../contracts/text/written-number';
import { networkMode } from '../../../config/network-settings';
import { count, json, securedUrl, type Config } from '../../../config/settings';
import { tonAddress } from '../../../../contracts/http/ton/fields';

const SEED = /^[0-9a-fA-F]{64}$/;
export const PRIVATE_KEY = 'an Ed25519 private key of 32 bytes in hexadecimal';

const privateKey = z.string().regex(SEED, PRIVATE_KEY).optional();
const file = z.string().min(1).optional();

/** So many of a jetton are paid for a TON, in place of what prices say. */
export const perTon = z.string().regex(/^(?=.*[1-9])\d{1,12}(?:\.\d{1,18})?$/, 'must be a positive decimal');

const jettons = json
  .pipe(
    z
      .array(
        z.strictObject({
          master: tonAddress,
          decimals: z.int().min(0).max(18),
          perTon: perTon.optional(),
        }),
      )
      .min(1),
  )
  .optional();

/** TON, decimal, as nanotons. */
const toncoins = (byDefault: string) =>
  z
    .string()
    .regex(/^\d{1,9}(?:\.\d{1,9})?$/, 'TON, with at most 9 decimals')
    .default(byDefault)
    .transform(text => toNano(text));

export const GASLESS_SETTINGS = {
  GASLESS_RELAYER: z.enum(['self', 'tonapi']).default('self'),
  /** Anybody who can change the answers can have users pay another commission. */
  GASLESS_TONAPI_URL_MAINNET: securedUrl.default('https://tonapi.io'),
  GASLESS_TONAPI_URL_TESTNET: securedUrl.default('https://testnet.tonapi.io'),
  GASLESS_TONAPI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/, 'must be a key of TonAPI')
    .optional(),
  GASLESS_TONAPI_REQUESTS_PER_SECOND: writtenNumber.min(0.1).max(1_000).default(10),
  GASLESS_MAINNET_PRIVATE_KEY: privateKey,
  GASLESS_MAINNET_PRIVATE_KEY_FILE: file,
  GASLESS_MAINNET_JETTONS: jettons,
  GASLESS_TESTNET_PRIVATE_KEY: privateKey,
  GASLESS_TESTNET_PRIVATE_KEY_FILE: file,
  GASLESS_TESTNET_JETTONS: jettons,
  /** Public libraries of TON: the code of some jettons, USDT's among them, is one, and nodes do not tell it. */
  GASLESS_LIBRARIES_FILE: file,
  GASLESS_MARGIN_BASIS_POINTS: count.max(100_000).default(1_000),
  GASLESS_MIN_COMMISSION_UNITS: count.default(1),
  GASLESS_MAX_RATE_MINUTES: count.min(1).max(1_440).default(10),
  GASLESS_MIN_BALANCE_TON: toncoins('1'),
  GASLESS_TON_PER_MINUTE: toncoins('20'),
  GASLESS_TON_PER_DAY: toncoins('1000'),
  GASLESS_WALLET_TON_PER_MINUTE: toncoins('1'),
  GASLESS_WALLET_TON_PER_DAY: toncoins('20'),
  GASLESS_SOURCE_TON_PER_MINUTE: toncoins('2'),
  GASLESS_SOURCE_TON_PER_DAY: toncoins('50'),
};

/** What the settings say of the relayer of a network. */
export interface RelayerSettings {
  readonly privateKey: string | undefined;
  readonly privateKeyFile: string | undefined;
  readonly jettons: NonNullable<z.output<typeof jettons>> | undefined;
}

export function relayerSettings(config: Config, network: TonNetwork): RelayerSettings {
  const set = config.of(GASLESS_SETTINGS);
  return network === 'mainnet'
    ? {
        privateKey: set.GASLESS_MAINNET_PRIVATE_KEY,
        privateKeyFile: set.GASLESS_MAINNET_PRIVATE_KEY_FILE,
        jettons: set.GASLESS_MAINNET_JETTONS,
      }
    : {
        privateKey: set.GASLESS_TESTNET_PRIVATE_KEY,
        privateKeyFile: set.GASLESS_TESTNET_PRIVATE_KEY_FILE,
        jettons: set.GASLESS_TESTNET_JETTONS,
      };
}

/** Hexadecimal of 32 bytes. */
export function isPrivateKey(text: string): boolean {
  return SEED.test(text);
}

export function checkGaslessSettings(config: Config, context: z.RefinementCtx): void {
  for (const network of TON_NETWORKS) {
    const { privateKey: key, privateKeyFile, jettons: listed } = relayerSettings(config, network);
    const prefix = `GASLESS_${network.toUpperCase()}`;
    const refuse = (name: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [`${prefix}_${name}`], message });
    const hasOthers = config.of(GASLESS_SETTINGS).GASLESS_RELAYER !== 'self';
    const hasKey = key !== undefined || privateKeyFile !== undefined;
    const mode = networkMode(config, { chain: 'ton', network });
    if (hasOthers && (hasKey || listed))
      refuse(
        listed ? 'JETTONS' : 'PRIVATE_KEY',
        'must not be set with GASLESS_RELAYER=tonapi, which has its own',
      );
    if (key !== undefined && privateKeyFile !== undefined)
      refuse('PRIVATE_KEY_FILE', `must not be set with ${prefix}_PRIVATE_KEY`);
    if (hasKey && mode === 'off') refuse('PRIVATE_KEY', `nothing is relayed on TON ${network}, which is off`);
    if (listed && !hasKey && mode !== 'local')
      refuse('JETTONS', `must not be set without ${prefix}_PRIVATE_KEY or ${prefix}_PRIVATE_KEY_FILE`);
    for (const [at, { master }] of (listed ?? []).entries())
      if (network === 'mainnet' && parseTonAddress(master)!.testOnly)
        refuse('JETTONS', `entry ${at + 1}: ${master} is an address of testnet only`);
    const masters = (listed ?? []).map(({ master }) => parseTonAddress(master)!.raw);
    if (new Set(masters).size < masters.length) refuse('JETTONS', 'names a jetton twice');
  }
}
