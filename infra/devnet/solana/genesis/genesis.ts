import { createHash } from 'node:crypto';
import type { SolanaNetwork } from '../../../../contracts/network/network';
import type { StoredAccount } from '../svm/account';
import { base58, fromBase58 } from '../svm/base58';
import type { Engine } from '../svm/engine';
import { localSeed, signingKey } from './keypair';
import { LOCAL_TOKENS, type LocalToken } from './local-tokens';
import { SYSTEM, TOKEN, TOKEN_METADATA } from '../svm/programs';
import { validatorAccounts } from './validator';
import type { Genesis } from '../chain/restore';

/** Nearly all lamports: 8 million SOL, still an exact number in JSON. */
const FAUCET_LAMPORTS = 8_000_000_000_000_000n;

export const FAUCET = signingKey(localSeed('faucet'));

/** Layout: `Mint`, as in token-state.ts. */
const mintData = ({ decimals }: LocalToken): Buffer => {
  const data = Buffer.alloc(82);
  data.writeUInt32LE(1, 0);
  FAUCET.publicKey.copy(data, 4);
  data.writeUInt8(decimals, 44);
  data.writeUInt8(1, 45);
  return data;
};

const METADATA_BYTES = 679;
const METADATA_V1 = 4;
const FUNGIBLE = 2;

const padded = (text: string, bytes: number): Buffer => {
  const field = Buffer.alloc(4 + bytes);
  field.writeUInt32LE(bytes);
  field.write(text, 4, 'utf8');
  return field;
};

/** Layout: `Metadata` of https://developers.metaplex.com/token-metadata, whose texts are padded with NUL. */
const metadataData = ({ mint, name, symbol }: LocalToken): Buffer => {
  const none = Buffer.from([0]);
  const content = Buffer.concat([
    Buffer.from([METADATA_V1]),
    FAUCET.publicKey,
    fromBase58(mint)!,
    padded(name, 32),
    padded(symbol, 10),
    padded('', 200),
    Buffer.from([0, 0]), // seller fee
    none, // creators
    Buffer.from([0, 1]), // no primary sale yet, mutable
    none, // edition nonce
    Buffer.from([1, FUNGIBLE]),
    none, // collection
    none, // uses
  ]);
  return Buffer.concat([content, Buffer.alloc(METADATA_BYTES - content.length)]);
};

/**
 * A new chain: the faucet, a validator with its vote and stake, and the local tokens' mints with their metadata. The hash is random, so that
 * a client of an earlier chain notices.
 */
export function createGenesis(network: SolanaNetwork, engine: Engine, now: number): Genesis {
  const account = (owner: Buffer, data: Buffer): StoredAccount => ({
    lamports: BigInt(engine.rentExemptMinimum(data.length)),
    owner,
    executable: false,
    data,
  });
  const accounts = new Map<string, StoredAccount>([
    [FAUCET.address, { ...account(SYSTEM.bytes, Buffer.alloc(0)), lamports: FAUCET_LAMPORTS }],
    ...validatorAccounts(FAUCET, engine.rentExemptMinimum),
  ]);
  for (const token of LOCAL_TOKENS[network]) {
    accounts.set(token.mint, account(TOKEN.bytes, mintData(token)));
    accounts.set(token.metadata, account(TOKEN_METADATA.bytes, metadataData(token)));
  }
  const hash = base58(createHash('sha256').update(`tidemark local ${network} ${now}`).digest());
  return { hash, time: Math.floor(now / 1000), accounts };
}
