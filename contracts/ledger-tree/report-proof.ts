import { z } from 'zod';
import { base64urlOf } from '../encoding/base64';
import { canonicalDigest } from '../json/canonical-json';
import type { Json, JsonObject } from '../json/json';
import { formatPosition, type Position } from '../position';
import { checkpoint, hexDigest, signatureFields, treeHead } from './checkpoint';
import { publicKey } from './keys';
import { subtreeRoots } from './subtree-roots';
import { statement } from './statement';

const claims = {
  version: z.literal(1),
  instance: z.string(),
  /** IANA name of the time zone of the days of the query. */
  timeZone: z.string(),
  ...treeHead,
  /** The validated request, without `proof`. */
  query: z.record(z.string(), z.json()),
  /**
   * SHA-256, in hex, of the canonical JSON (RFC 8785) of the answer without its members `proof` and `cursor`, and with null
   * for each personal text.
   */
  bodyDigest: hexDigest,
  /** The versions of the projections behind the answer. */
  projections: z.record(z.string(), z.int().min(0)),
};

/**
 * Binds an answer to a tree head: the answer of that digest is the result of the query on the first `size` events of the
 * ledger. The signature covers all members but those after it.
 */
export const reportProof = z.strictObject({
  ...claims,
  ...signatureFields,
  /** Makes the proof verifiable on its own; that the key is the instance's can only be checked in its published key set. */
  key: publicKey.strict(),
  /** The last checkpoint up to the position, with its own signature; null before the first. */
  checkpoint: checkpoint.nullable(),
  subtreeRoots,
  /**
   * The openings of the personal texts in the answer (contracts/text/personal-text.ts) by the commitments in the events, both
   * in base64url. Those of erased texts are absent. Proofs had none before there were commitments.
   */
  openings: z.record(base64urlOf(32), base64urlOf(32)).optional(),
});
export type ReportProof = z.output<typeof reportProof>;

/** The content of a proof, before it is signed. */
export type Claims = Omit<ReportProof, 'signature' | 'key' | 'checkpoint' | 'subtreeRoots' | 'openings'>;

/** The bytes that the signature of a proof is over. */
export function proofStatement(proof: Claims): Buffer {
  const { version, instance, timeZone, size, position, head, root, query, bodyDigest, projections, keyId } =
    proof;
  return statement('tidemark-proof-v1', {
    version,
    instance,
    timeZone,
    size,
    position,
    head,
    root,
    query: query as JsonObject,
    bodyDigest,
    projections,
    keyId,
  });
}

/** The value of the `X-Ledger-Head` header: position and head of the hash chain. */
export function formatLedgerHead(position: Position, head: string): string {
  return `${formatPosition(position)}:${head}`;
}

/**
 * SHA-256, in hex, of the canonical JSON of an answer without its personal text, so that the digest is the same after an
 * erasure and for verifiers without a key. The events prove the encrypted form of that text.
 */
export function bodyDigest(body: Json): string {
  return canonicalDigest(withoutPersonalText(withoutCursor(body)));
}

/** Where the next part of an answer begins. No member of that name within the answer is left out. */
function withoutCursor(body: Json): Json {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body;
  const { cursor: _, ...content } = body;
  return content;
}

/** The members of answers that hold personal text; beside each, `<member>Erased` says whether it was erased. */
export const PERSONAL_TEXTS = ['voidReason', 'reason', 'reference'] as const;

const PERSONAL = new Set<string>(PERSONAL_TEXTS.flatMap(member => [member, `${member}Erased`]));

function withoutPersonalText(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutPersonalText);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, PERSONAL.has(name) ? null : withoutPersonalText(member)]),
  );
}
