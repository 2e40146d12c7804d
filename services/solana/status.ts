import type { z } from 'zod';
import { SOLANA_SIGNATURE, type SolanaSignatureStatus } from '../../contracts/chain/solana-observations';
import { kept } from '../../contracts/http/kept';
import type { solanaTransactionStatus } from '../../contracts/http/solana';
import type { SolanaNetwork } from '../../contracts/network';
import { SOLANA_SIGNATURES, signatureSubject, solanaSignature } from '../../projections/solana/signatures';
import {
  SOLANA_SIGNATURE_SOURCE,
  solanaTransactions,
  type FoundSignature,
} from '../../projections/solana/transactions/queries';
import type { Views } from '../../projections/views';
import type { SolanaReadDeps } from './deps';
import { readUntil } from './waiting';

type Answer = z.input<typeof solanaTransactionStatus.response>;

/** Milliseconds for which what a node said of a transaction that is not final is repeated. */
const FRESH = 2_000;

/** What is known here of a transaction. */
interface Known {
  readonly answer: Answer;
  /** RFC 3339 instant at which a node said so; null for what nobody needs to be asked about. */
  readonly at: string | null;
}

async function knownStatus(views: Views, network: SolanaNetwork, signature: string): Promise<Known | null> {
  const own = await solanaTransactions(views).find(network, signature);
  if (own) return { answer: answer(ofDocument(own)), at: null };
  const said = await solanaSignature(views, network, signature);
  if (!said) return null;
  return { answer: answer(said.data), at: said.data?.confirmationStatus === 'finalized' ? null : said.at };
}

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
  const subject = signatureSubject(network, signature);
  const question = {
    asked: ['Solana status', network, signature],
    of: [SOLANA_SIGNATURE_SOURCE, { collection: SOLANA_SIGNATURES, part: subject }],
  };
  const look = () => views.answer(question, () => knownStatus(views, network, signature));
  const known = await look();
  if (known && (known.at === null || now() - Date.parse(known.at) < FRESH))
    return known.answer && kept(known.answer);
  const asked = await readUntil(
    deps,
    [SOLANA_SIGNATURES],
    look,
    found => found !== null && found.at !== known?.at,
    () => request(SOLANA_SIGNATURE, subject),
  );
  return asked?.answer ?? null;
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
