import { PublicKey } from '@solana/web3.js';
import type { SolanaAccountInfo } from '../../../contracts/ports/solana-client';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs';

/** A mint of either token program. */
export interface Mint {
  readonly mintAuthority: string | null;
  readonly freezeAuthority: string | null;
  /** In the smallest unit. */
  readonly supply: bigint;
  readonly decimals: number;
  /** The bytes of an extension of Token-2022 by its number; null when the mint has no such extension. */
  extension(type: number): Buffer | null;
}

const LENGTH = 82;
/** Extensions begin after the mint, padded to the length of a token account, and one byte for the account type. */
const ACCOUNT_TYPE = 165;
const IS_MINT = 1;
const EXTENSIONS = 166;

/**
 * Layout: SPL Token `Mint`, and the type-length-value entries of Token-2022. Null when the account is not an initialised
 * mint: the address of one that was closed may be anything afterwards.
 */
export function readMint({ owner, data }: SolanaAccountInfo): Mint | null {
  const isExtended = owner === TOKEN_2022_PROGRAM && data[ACCOUNT_TYPE] === IS_MINT;
  const isMint =
    [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].includes(owner) && (data.length === LENGTH || isExtended);
  if (!isMint || data[45] !== 1) return null;
  const authority = (at: number): string | null =>
    data.readUInt32LE(at) === 1 ? new PublicKey(data.subarray(at + 4, at + 36)).toBase58() : null;
  return {
    mintAuthority: authority(0),
    supply: data.readBigUInt64LE(36),
    decimals: data[44]!,
    freezeAuthority: authority(46),
    extension(wanted) {
      for (let at = EXTENSIONS; at + 4 <= data.length;) {
        const length = data.readUInt16LE(at + 2);
        if (data.readUInt16LE(at) === wanted) return data.subarray(at + 4, at + 4 + length);
        at += 4 + length;
      }
      return null;
    },
  };
}
