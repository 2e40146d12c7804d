import type { z } from 'zod';
import { SOLANA_SIGNATURE, type SolanaSignatureStatus } from '../../contracts/chain/solana-observations';
import type { solanaTransactionStatus } from '../../contracts/http/solana';
import type { SolanaNetwork } from '../../contracts/network';
import { SOLANA_SIGNATURES, signatureSubject, solanaSignature } from '../../projections/solana-signatures';
import { solanaTransactions, type FoundSignature } from '../../projections/solana-transactions/queries';
import type { SolanaReadDeps } from './deps';
import { readUntil } from './waiting';

type Answer = z.input<typeof solanaTransactionStatus.response>;

/** Milliseconds for which what a node said of a transaction that is not final is repeated. */
const FRESH = 2_000;

/**
 * Where a transaction stands: from our own documents when it concerns an account that is followed, else from a node.
 * Null while nobody knows it, and while no node answers: that it is unknown does not mean that it failed.
 */
export async function readStatus(
  deps: SolanaReadDeps,
  network: SolanaNetwork,
  signature: string,
): Promise<Answer> {
  const { views, now, request } = deps;
  const own = await solanaTransactions(views).find(network, signature);
  if (own) return answer(ofDocument(own));

  const read = () => solanaSignature(views, network, signature);
  const known = await read();
  const final = known?.data?.confirmationStatus === 'finalized';
  if (final || (known && now() - Date.parse(known.at) < FRESH)) return answer(known.data);
  const asked = await readUntil(
    deps,
    [SOLANA_SIGNATURES],
    read,
    found => found !== null && found.at !== known?.at,
    () => request(SOLANA_SIGNATURE, signatureSubject(network, signature)),
  );
  return answer(asked?.data ?? null);
}

/** How many blocks confirm it is not kept: at least none, and after finality it no longer matters. */
const ofDocument = ({ slot, finality, error }: FoundSignature): SolanaSignatureStatus => ({
  slot,
  confirmations: finality === 'finalized' ? null : 0,
  err: error === null ? null : errorOf(error),
  confirmationStatus: finality,
});

/** Errors with details are kept as JSON, plain ones as their name. */
const errorOf = (text: string): unknown => (/^[{[]/.test(text) ? JSON.parse(text) : text);

function answer(status: SolanaSignatureStatus): Answer {
  if (!status) return null;
  const { err, confirmationStatus } = status;
  const landed = confirmationStatus === 'confirmed' || confirmationStatus === 'finalized';
  return { ...status, err: err ?? null, status: !landed ? 'pending' : err ? 'failed' : 'confirmed' };
}
