import type { SolanaNetwork } from '../network/network';

/** The mint of USDC, the token that wallets show by default. */
export const USDC: Readonly<Record<SolanaNetwork, string>> = {
  mainnet: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  devnet: 'Gh9ZwEmdLJ8DscKNTkTqPbNwLNNBjuSzaG9Vp2KGtKJr',
};
