import type { z } from 'zod';
import {
  solanaSignatureStatus,
  type SolanaSignatureSubject,
} from '../../../contracts/chain/solana-observations';
import { statusAfter } from '../../../contracts/chain/solana-status';
import {
  defineObservation,
  type Clients,
  type Reading,
  type SubjectFormat,
} from '../../../contracts/observation/observation';
import { parseSolanaSubject, SOLANA_SOURCE } from './source';

const subject: SubjectFormat<SolanaSignatureSubject> = {
  format: ({ network, signature }) => `solana:${network}:${signature}`,
  parse(text) {
    const { network, id } = parseSolanaSubject(text);
    return { network, signature: id };
  },
};

const schema = solanaSignatureStatus.nullable();

async function read(
  clients: Clients,
  { network, signature }: SolanaSignatureSubject,
): Promise<Reading<z.output<typeof schema>>> {
  const { slot, value } = await clients.solana(network).getSignatureStatus(signature);
  return { height: slot, data: value };
}

/** The status of a transaction; null while no node knows it: it has not arrived yet, was dropped, or its block was abandoned. */
export const solanaSignatureObservation = defineObservation({
  kind: 'solana.signature',
  subject,
  schema,
  source: SOLANA_SOURCE,
  minAgeMs: 1_000,
  staleAfterMs: 2_000,
  ages: true,
  read,
  merge: statusAfter,
});

/**
 * The same of a signature that was not observed so far, of which nothing is stored while no node knows it. Its limits are its
 * own: signatures that were made up delay no other read.
 */
export const unreadSolanaSignature = defineObservation({
  kind: 'solana.unread.signature',
  recorded: false,
  subject,
  schema,
  source: { ...SOLANA_SOURCE, name: 'solana-unread-signatures', maxConcurrent: 4 },
  ttlMs: 1_000,
  servesStale: false,
  maxEntries: 10_000,
  read,
});
