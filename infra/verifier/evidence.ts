import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Json, JsonObject } from '../../contracts/json';
import { checkpoint, checkpointStatement, type Checkpoint } from '../../contracts/seal/checkpoint';
import { isSigned, publicKey, thumbprint, type PublicKey } from '../../contracts/seal/keys';
import { proofStatement, reportProof, type ReportProof } from '../../contracts/seal/proof';
import { Failed } from './verdict';

/** Public keys by their thumbprints. */
export type Keys = ReadonlyMap<string, PublicKey>;

/** An answer as it was served, or its proof alone. */
export interface Evidence {
  readonly proof: ReportProof;
  /** The answer without the proof; null when only the proof was given. */
  readonly body: Json | null;
}

/** @throws Failed */
export function readJson(file: string): Json {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch (error) {
    throw new Failed('unusable', `${file}: ${(error as Error).message}`);
  }
}

/** Null where there is no proof to be found: neither in `proof` nor at the top. */
export function evidenceIn(value: Json): Evidence | null {
  const whole = z.looseObject({ proof: reportProof }).safeParse(value);
  if (whole.success) {
    const { proof: _, ...body } = value as JsonObject;
    return { proof: whole.data.proof, body };
  }
  const alone = reportProof.safeParse(value);
  return alone.success ? { proof: alone.data, body: null } : null;
}

/** @throws Failed */
export function readEvidence(file: string): Evidence {
  const found = evidenceIn(readJson(file));
  if (!found) throw new Failed('unusable', `${file}: neither a proof nor an answer with one`);
  return found;
}

const keySet = z.object({ keys: z.array(publicKey).min(1) });

/** @throws Failed */
export function readKeys(file: string): Keys {
  const parsed = keySet.safeParse(readJson(file));
  if (!parsed.success) throw new Failed('unusable', `${file}: not a set of ledger keys`);
  return new Map(parsed.data.keys.map(({ kty, crv, x }) => [thumbprint({ kty, crv, x }), { kty, crv, x }]));
}

/** A checkpoint somebody kept: by itself, several in a list, or in a proof or an answer. @throws Failed */
export function readCheckpoints(file: string): Checkpoint[] {
  const value = readJson(file);
  const several = z.union([checkpoint.transform(one => [one]), z.array(checkpoint)]).safeParse(value);
  if (several.success) return several.data;
  const kept = evidenceIn(value)?.proof.checkpoint;
  if (!kept) throw new Failed('unusable', `${file}: no checkpoint`);
  return [kept];
}

/** @param keys null when nobody said whose keys are good: then that of the proof itself is taken. @throws Failed */
export function checkProof(proof: ReportProof, keys: Keys | null): void {
  if (thumbprint(proof.key) !== proof.keyId)
    throw new Failed('unsigned', 'the proof brings another key than the one it names');
  const key = keys ? keys.get(proof.keyId) : proof.key;
  if (!key) throw new Failed('unsigned', `the proof is signed by ${proof.keyId}, which is none of the keys`);
  if (!isSigned(proofStatement(proof), proof.signature, key))
    throw new Failed('unsigned', 'the signature of the proof is not of what it says');
}

/** @param own the key of the proof, where it is all there is to go by. @throws Failed */
export function checkCheckpoint(kept: Checkpoint, keys: Keys | null, own: PublicKey | null): void {
  const what = nameOf(kept);
  const key = keys ? keys.get(kept.keyId) : own && thumbprint(own) === kept.keyId ? own : null;
  if (!key) {
    if (!keys) return;
    throw new Failed('unsigned', `${what} is signed by ${kept.keyId}, which is none of the keys`);
  }
  if (!isSigned(checkpointStatement(kept), kept.signature, key))
    throw new Failed('unsigned', `the signature of ${what} is not of what it says`);
}

export function nameOf({ at, size }: Checkpoint): string {
  return `the checkpoint of ${at} (${size} events)`;
}
