import type { SolanaNetwork } from '../../../../contracts/network/network';
import { localSeed, signingKey } from './keypair';

/** A token of the genesis block. Its mint authority is the faucet; it has no freeze authority. */
export interface LocalToken {
  readonly mint: string;
  /** The address of its Metaplex metadata, derived from the mint. */
  readonly metadata: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** Wallets look for USDC at its address on the real network; this one has no value. */
const USDC = { name: 'Local USDC (no value)', symbol: 'USDC-LOCAL', decimals: 6 };

const LOCAL: LocalToken = {
  mint: signingKey(localSeed('token')).address,
  metadata: 'H7A8S4ZDAamQA7jGJr3v485WLDjjbktHmpuhHBDvXNoT',
  name: 'Local Shells (no value)',
  symbol: 'SHL-LOCAL',
  decimals: 9,
};

export const LOCAL_TOKENS: Readonly<Record<SolanaNetwork, readonly [LocalToken, LocalToken]>> = {
  mainnet: [
    {
      mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      metadata: '5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq',
      ...USDC,
    },
    LOCAL,
  ],
  devnet: [
    {
      mint: 'Gh9ZwEmdLJ8DscKNTkTqPbNwLNNBjuSzaG9Vp2KGtKJr',
      metadata: 'BwubqDv4DwDGfM2xMRc8UE2tN85QBFB1iAX9JDEmF5Go',
      ...USDC,
    },
    LOCAL,
  ],
};
