import { PublicKey } from '@solana/web3.js';
import type { SolanaAccountInfo } from '../../../contracts/ports/solana-client';
import { readLine, TEXT_LIMITS } from '../../token-attributes';
import { METADATA_PROGRAM, NATIVE_MINT } from '../programs';
import type { Mint } from './mint';

export interface TokenName {
  readonly name: string;
  readonly symbol: string;
}

const metadataProgram = new PublicKey(METADATA_PROGRAM);

/** The account in which Metaplex stores the name of a token. */
export function metaplexAddress(mint: PublicKey): PublicKey {
  return PublicKey.findProgramAddressSync(
    [Buffer.from('metadata'), metadataProgram.toBuffer(), mint.toBuffer()],
    metadataProgram,
  )[0];
}

/** Names of tokens that may have none on the chain. */
const KNOWN: Readonly<Record<string, TokenName>> = {
  [NATIVE_MINT]: { symbol: 'SOL', name: 'Wrapped SOL' },
  EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: { symbol: 'USDC', name: 'USD Coin' },
  Gh9ZwEmdLJ8DscKNTkTqPbNwLNNBjuSzaG9Vp2KGtKJr: { symbol: 'USDC', name: 'USD Coin' },
};

/**
 * The name of a token: from its mint (Token-2022 metadata extension), else from its Metaplex account, else from the list of
 * well-known tokens, else derived from its address.
 */
export function tokenName(
  address: string,
  mint: Mint | null,
  metaplex: SolanaAccountInfo | null | undefined,
): TokenName {
  const extension = mint?.extension(TOKEN_METADATA);
  const own = extension && readNames(extension, EXTENSION_NAMES);
  const listed = metaplex?.owner === METADATA_PROGRAM ? readNames(metaplex.data, METAPLEX_NAMES) : null;
  const short = `${address.slice(0, 4)}…${address.slice(-4)}`;
  return own ?? listed ?? KNOWN[address] ?? { symbol: address.slice(0, 4), name: `Token ${short}` };
}

/** Number of the extension of Token-2022 that holds `TokenMetadata`. */
const TOKEN_METADATA = 19;
/** SPL `TokenMetadata`: update authority and mint, 32 bytes each, then the strings. */
const EXTENSION_NAMES = 64;
/** Metaplex `Metadata`: the same after one byte of key, the strings padded with NUL. */
const METAPLEX_NAMES = 65;

/** Name and symbol as Borsh strings, a 32-bit length before each; null when the bytes are malformed. */
function readNames(data: Buffer, offset: number): TokenName | null {
  let at = offset;
  const read = (): string => {
    const start = at + 4;
    at = start + data.readUInt32LE(at);
    return (at <= data.length && readLine(data.toString('utf8', start, at), TEXT_LIMITS.name)) || '';
  };
  try {
    const name = read();
    const symbol = read();
    return name && symbol ? { name, symbol } : null;
  } catch {
    return null;
  }
}
