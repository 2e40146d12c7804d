import { z } from 'zod';
import { parseTonAddress } from '../../account/address';
import { decodeAnyBase64 } from '../../encoding/base64';
import { TON_NETWORKS, type NetworkRef, type TonNetwork } from '../../network/network';
import { networkOf, tonAccount } from '../../account/ton-account';

export const tonAddress = z
  .string()
  .max(128)
  .refine(text => parseTonAddress(text) !== null, 'must be a TON address, friendly or raw')
  .meta({ example: 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c' });

export const tonNetwork = z.enum(TON_NETWORKS);

/** In paths of elections, staking and configuration: wallets call the test network `sandbox` there in some calls. */
export const walletNetwork = z
  .enum(['mainnet', 'testnet', 'sandbox'])
  .transform(name => (name === 'mainnet' ? 'mainnet' : 'testnet'));

/**
 * A logical time: 64 bits as a decimal string. It has no example, with which pages fill in optional cursors: a read waits for a
 * transaction at its cursor, and no example exists on every chain.
 */
export const logicalTime = z.string().regex(/^\d{1,20}$/, 'must be a logical time, decimal digits');

const HEX_256 = /^[0-9a-fA-F]{64}$/;

/** Base64 of either alphabet, or hexadecimal, of 32 bytes. */
export const hash256 = z
  .string()
  .regex(/^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=?|[A-Za-z0-9_-]{43}=?)$/, {
    error: 'must be a hash of 32 bytes, hexadecimal or base64',
    abort: true,
  })
  .refine(text => HEX_256.test(text) || decodeAnyBase64(text) !== null, 'canonical base64');

/** Which network an address is of, in a query. */
export const isTestnetText = z.enum(['true', 'false']).optional().meta({
  description: 'Default: `true` for a test-only address, otherwise `false`',
});

/** As `isTestnetText`, in a body. */
export const isTestnet = z
  .boolean()
  .optional()
  .meta({ description: 'Default: true for a test-only address, otherwise false' });

/** What a call needs that names a network of TON in its path. */
export function tonOfPath({
  params,
}: {
  readonly params: { readonly network: TonNetwork };
}): readonly NetworkRef[] {
  return [{ chain: 'ton', network: params.network }];
}

/** What a call needs about an address in its path whose query may say `isTestnet`. @throws Problem 400 `network_mismatch` */
export function tonOfAddress({
  params,
  query,
}: {
  readonly params: { readonly address: string };
  readonly query: { readonly isTestnet?: 'true' | 'false' | undefined };
}): readonly NetworkRef[] {
  return [tonAccount(params.address, networkOf(query.isTestnet), '/query/isTestnet')];
}
