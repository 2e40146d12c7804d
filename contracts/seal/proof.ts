import { z } from 'zod';
import { canonicalDigest } from '../canonical-json';
import type { Json, JsonObject } from '../json';
import { formatPosition, type Position } from '../position';
import { checkpoint, hexDigest, history, signed } from './checkpoint';
import { publicKey } from './keys';
import { ladder } from './ladder';
import { statement } from './statement';

const claims = {
  version: z.literal(1),
  instance: z.string(),
  /** In which days of the query begin and end (IANA). */
  timeZone: z.string(),
  ...history,
  /** The request as it was validated, without `proof`. */
  query: z.record(z.string(), z.json()),
  /** SHA-256 of RFC 8785 of the answer without `proof` and with null for each personal text. */
  bodyDigest: hexDigest,
  /** The versions of the read models that were asked. */
  projections: z.record(z.string(), z.int()),
};

/**
 * Binds one answer to one history: the answer of that digest is what the query gives on the ledger as it stood with
 * that many events. The signature covers all but the members below it.
 */
export const reportProof = z.object({
  ...claims,
  ...signed,
  /** The key itself, so that nothing else is needed to check it; whose it is only a published key set tells. */
  key: publicKey,
  /** The last checkpoint up to the position; null before the first. It bears a signature of its own. */
  checkpoint: checkpoint.nullable(),
  ladder,
});
export type ReportProof = z.output<typeof reportProof>;

/** What is claimed, before it is signed. */
export type Claims = Omit<ReportProof, 'signature' | 'key' | 'checkpoint' | 'ladder'>;

export function proofStatement(claimed: Claims): Buffer {
  const { version, instance, timeZone, size, position, head, root, query, bodyDigest, projections, keyId } =
    claimed;
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

/** A head with its place, as `X-Ledger-Head` bears it. */
export function headText(position: Position, head: string): string {
  return `${formatPosition(position)}:${head}`;
}

/**
 * In hex. Text about people is left out of it: it lies encrypted in the events, can be erased, and the answer must have
 * the same digest afterwards, and for those who hold no key. The events prove its encrypted form.
 */
export function bodyDigest(body: Json): string {
  return canonicalDigest(impersonal(body));
}

/** The members of answers that hold personal text, and those that tell that it was erased. */
const PERSONAL = new Set(
  ['voidReason', 'reason', 'reference'].flatMap(member => [member, `${member}Erased`]),
);

function impersonal(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(impersonal);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, PERSONAL.has(name) ? null : impersonal(member)]),
  );
}
