import type * as SplToken from '@solana/spl-token' with { 'resolution-mode': 'import' };

/** The SPL token library. It is typed as an ES module, which only a dynamic import may load from here. */
export type Spl = typeof SplToken;

export const loadSpl = (): Promise<Spl> => import('@solana/spl-token');
