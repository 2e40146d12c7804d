import { SOLANA_SIGNATURE, type SolanaSignatureStatus } from '../../contracts/chain/solana-observations';
import type { SolanaNetwork } from '../../contracts/network';
import { observedProjection, type Observed } from '../observed';
import type { Views } from '../views';

export const SOLANA_SIGNATURES = 'solana_signatures';

/** What nodes say of transactions that somebody asked for, also of accounts that nobody follows. */
export const solanaSignaturesProjection = observedProjection({
  name: 'solana-signatures',
  version: 1,
  kind: SOLANA_SIGNATURE,
  collection: SOLANA_SIGNATURES,
});

export function signatureSubject(network: SolanaNetwork, signature: string): string {
  return `solana:${network}:${signature}`;
}

export function solanaSignature(
  views: Views,
  network: SolanaNetwork,
  signature: string,
): Promise<Observed<SolanaSignatureStatus> | null> {
  return views.get(SOLANA_SIGNATURES, signatureSubject(network, signature));
}
