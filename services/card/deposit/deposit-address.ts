import { hkdfSync } from 'node:crypto';
import { keyPairFromSeed } from '@ton/crypto';
import { encodeBase58 } from '../../../contracts/encoding/base58';
import { SOLANA_BESIDE, type AccountRef, type TonNetwork } from '../../../contracts/network/network';
import { walletV5 } from '../../wallet-v5/wallet-v5';

/** Where an account is topped up: an address of its own on the chain. */
export type DepositAddressOf = (
  accountId: string,
  chain: AccountRef['chain'],
  network: TonNetwork,
) => AccountRef;

const SEED_BYTES = 32;

/**
 * The wallet v5 r1 on TON, and the account on Solana, of a key that follows from the secret of the installation and the account
 * (HKDF, RFC 5869): nothing is stored, and who has the secret has what arrives.
 * @param secret 32 bytes
 */
export function createDepositAddresses(secret: Buffer): DepositAddressOf {
  return (accountId, chain, network) => {
    const info = `card deposit/${chain}/${network}/${accountId}`;
    const seed = Buffer.from(hkdfSync('sha256', secret, '', info, SEED_BYTES));
    const { publicKey } = keyPairFromSeed(seed);
    return chain === 'ton'
      ? { chain, network, address: walletV5(publicKey, network).address.toRawString() }
      : { chain, network: SOLANA_BESIDE[network], address: encodeBase58(publicKey) };
  };
}
