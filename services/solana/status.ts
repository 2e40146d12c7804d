import type { z } from 'zod';
import type { SolanaSignatureStatus } from '../../contracts/chain/solana-observations';
import { furthestStatus } from '../../contracts/chain/solana-status';
import { immutable } from '../../contracts/http/immutable-response';
import type { solanaTransactionStatus } from '../../contracts/http/solana/solana';
import type { SolanaNetwork } from '../../contracts/network/network';
import {
  SOLANA_SIGNATURE_SOURCE,
  solanaTransactions,
  type FoundSignature,
} from '../../projections/solana/transactions/queries';
import { addressKey } from '../../contracts/http/address-key';
import type { Reader } from '../watch-account';
import type { SolanaReadDeps } from './deps';
import { readJson } from '../../contracts/json/read-json';

type Response = z.input<NonNullable<typeof solanaTransactionStatus.response>>;

interface Status {
  readonly response: Response;
  /** RFC 3339 instant of the observation; null when another observation would not change the response. */
  readonly at: string | null;
}

/**
 * The status of a transaction: from our own documents when it affects a watched account, and from nodes; the further of
 * both, so that it never goes back and `confirmations` never falls. Null when no node knows it or none answers, which does
 * not mean that it failed. Null again after the block was abandoned by a fork: it may be included once more until its
 * blockhash expires. A signature without documents is observed once a node knows it.
 * @throws Problem 429 when the reader has asked for too many signatures without documents
 */
export async function readStatus(
  { views, signatures, unread }: Pick<SolanaReadDeps, 'views' | 'signatures' | 'unread'>,
  network: SolanaNetwork,
  signature: string,
  reader: Reader,
): Promise<Response> {
  const subject = { network, signature };
  const findStatus = async (): Promise<Status | null> => {
    const [found, observed] = await Promise.all([
      solanaTransactions(views).find(network, signature),
      signatures.find(subject),
    ]);
    if (!found && !observed) return null;
    const own = found && statusOf(found);
    const other = observed?.data ?? null;
    const status = own && other ? furthestStatus(other, own) : (own ?? other);
    const isSettled = own !== null || status?.confirmationStatus === 'finalized';
    return { response: responseOf(status), at: isSettled ? null : observed!.at };
  };
  const query = {
    key: ['Solana status', network, signature],
    sources: [SOLANA_SIGNATURE_SOURCE, signatures.source(subject)],
  };
  const find = () => views.cached(query, findStatus);
  if ((await find()) === null && !(await unread.isKnown(subject, reader))) return null;
  const found = await signatures.readDerived(
    subject,
    {
      find,
      isStale: () => false,
      isCurrent: ({ at }) => at === null || !signatures.isStale(at),
    },
    { caller: addressKey(reader.ip) },
  );
  return found?.response ? immutable(found.response) : null;
}

/** The number of confirmations is not stored: 0 until the transaction is final. */
const statusOf = ({ slot, finality, error }: FoundSignature): NonNullable<SolanaSignatureStatus> => ({
  slot,
  confirmations: finality === 'finalized' ? null : 0,
  err: error === null ? null : errorOf(error),
  confirmationStatus: finality,
});

/** Errors with details are stored as JSON, plain ones by their name. */
const errorOf = (text: string): unknown => (/^[{[]/.test(text) ? readJson(text) : text);

function responseOf(status: SolanaSignatureStatus): Response {
  if (!status) return null;
  const { err, confirmationStatus } = status;
  const landed = confirmationStatus === 'confirmed' || confirmationStatus === 'finalized';
  return { ...status, err: err ?? null, status: !landed ? 'pending' : err ? 'failed' : 'confirmed' };
}
