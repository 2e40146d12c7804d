import {
  solanaSignatureStatus,
  type SolanaSignatureSubject,
} from '../../../contracts/chain/solana-observations';
import { statusAfter } from '../../../contracts/chain/solana-status';
import { defineObservation, type Clients } from '../../../contracts/observation/observation';
import { defineReadThrough } from '../../../contracts/observation/read-through';
import { parseSolanaSubject, SOLANA_SOURCE } from './source';

const format = ({ network, signature }: SolanaSignatureSubject) => `solana:${network}:${signature}`;

const statusOf = (clients: Clients, { network, signature }: SolanaSignatureSubject) =>
  clients.solana(network).getSignatureStatus(signature);

/** The status of a transaction; null while no node knows it: it has not arrived yet, was dropped, or its block was abandoned. */
export const solanaSignatureObservation = defineObservation({
  kind: 'solana.signature',
  subject: {
    format,
    parse(text): SolanaSignatureSubject {
      const { network, id } = parseSolanaSubject(text);
      return { network, signature: id };
    },
  },
  schema: solanaSignatureStatus.nullable(),
  source: SOLANA_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 2_000,
  async read(clients, subject) {
    const { slot, value } = await statusOf(clients, subject);
    return { height: slot, data: value };
  },
  merge: statusAfter,
});

/**
 * The same of a signature that was not observed so far, of which nothing is stored while no node knows it. Its limits are its
 * own: signatures that were made up delay no other read.
 */
export const unreadSolanaSignature = defineReadThrough({
  name: 'solana.unread_signature',
  key: format,
  schema: solanaSignatureStatus.nullable(),
  source: { ...SOLANA_SOURCE, name: 'solana-unread-signatures', maxConcurrent: 4 },
  ttlMs: 1_000,
  servesStale: false,
  maxEntries: 10_000,
  read: async (clients, subject: SolanaSignatureSubject) => (await statusOf(clients, subject)).value,
});
