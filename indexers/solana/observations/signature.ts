import {
  solanaSignatureStatus,
  type SolanaSignatureSubject,
} from '../../../contracts/chain/solana-observations';
import { statusAfter } from '../../../contracts/chain/solana-status';
import { defineObservation } from '../../../contracts/observation';
import { parseSolanaSubject, SOLANA_SOURCE } from './source';

/** The status of a transaction; null while no node knows it: it has not arrived yet, was dropped, or its block was abandoned. */
export const solanaSignatureObservation = defineObservation({
  kind: 'solana.signature',
  subject: {
    format: ({ network, signature }: SolanaSignatureSubject) => `solana:${network}:${signature}`,
    parse(text): SolanaSignatureSubject {
      const { network, id } = parseSolanaSubject(text);
      return { network, signature: id };
    },
  },
  schema: solanaSignatureStatus.nullable(),
  source: SOLANA_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 2_000,
  async read(clients, { network, signature }) {
    const { slot, value } = await clients.solana(network).getSignatureStatus(signature);
    return { height: slot, data: value };
  },
  merge: statusAfter,
});
