import type { z } from 'zod';
import type { SolanaSignatureStatus } from '../../contracts/chain/solana-observations';
import { immutable } from '../../contracts/http/immutable-response';
import type { solanaTransactionStatus } from '../../contracts/http/solana';
import type { SolanaNetwork } from '../../contracts/network';
import {
  SOLANA_SIGNATURE_SOURCE,
  solanaTransactions,
  type FoundSignature,
} from '../../projections/solana/transactions/queries';
import type { SolanaReadDeps } from './deps';

type Response = z.input<NonNullable<typeof solanaTransactionStatus.response>>;

interface Status {
  readonly response: Response;
  /** RFC 3339 instant of the observation; null when another observation would not change the response. */
  readonly at: string | null;
}

/**
 * The status of a transaction: from our own documents when it affects a watched account, else from a node. Null when no
 * node knows it or none answers, which does not mean that it failed.
 */
export async function readStatus(
  { views, signatures }: SolanaReadDeps,
  network: SolanaNetwork,
  signature: string,
): Promise<Response> {
  const subject = { network, signature };
  const findStatus = async (): Promise<Status | null> => {
    const own = await solanaTransactions(views).find(network, signature);
    if (own) return { response: responseOf(statusOf(own)), at: null };
    const observed = await signatures.find(subject);
    if (!observed) return null;
    const isFinal = observed.data?.confirmationStatus === 'finalized';
    return { response: responseOf(observed.data), at: isFinal ? null : observed.at };
  };
  const query = {
    key: ['Solana status', network, signature],
    sources: [SOLANA_SIGNATURE_SOURCE, signatures.source(subject)],
  };
  const found = await signatures.readDerived(subject, {
    find: () => views.cached(query, findStatus),
    isStale: () => false,
    isCurrent: ({ at }) => at === null || !signatures.isStale(at),
  });
  return found?.response ? immutable(found.response) : null;
}

/** The number of confirmations is not stored: 0 until the transaction is final. */
const statusOf = ({ slot, finality, error }: FoundSignature): SolanaSignatureStatus => ({
  slot,
  confirmations: finality === 'finalized' ? null : 0,
  err: error === null ? null : errorOf(error),
  confirmationStatus: finality,
});

/** Errors with details are stored as JSON, plain ones by their name. */
const errorOf = (text: string): unknown => (/^[{[]/.test(text) ? JSON.parse(text) : text);

function responseOf(status: SolanaSignatureStatus): Response {
  if (!status) return null;
  const { err, confirmationStatus } = status;
  const landed = confirmationStatus === 'confirmed' || confirmationStatus === 'finalized';
  return { ...status, err: err ?? null, status: !landed ? 'pending' : err ? 'failed' : 'confirmed' };
}
