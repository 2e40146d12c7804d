import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Json, JsonObject } from '../../contracts/json';
import { checkpoint, checkpointStatement, type Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { verifySignature, publicKey, thumbprint, type PublicKey } from '../../contracts/ledger-tree/keys';
import { proofStatement, reportProof, type ReportProof } from '../../contracts/ledger-tree/report-proof';
import { VerificationFailed } from './outcome';

/** Public keys by their thumbprints. */
export type Keys = ReadonlyMap<string, PublicKey>;

/** A served answer with its proof, or the proof alone. */
export interface Evidence {
  readonly proof: ReportProof;
  /** The answer without the proof; null for a proof alone. */
  readonly body: Json | null;
}

/** @throws VerificationFailed */
export function readJson(file: string): Json {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch (error) {
    throw new VerificationFailed('unusable', `${file}: ${(error as Error).message}`);
  }
}

/** Null when the value is neither a proof nor has one in `proof`. */
export function evidenceIn(value: Json): Evidence | null {
  const whole = z.looseObject({ proof: reportProof }).safeParse(value);
  if (whole.success) {
    const { proof: _, ...body } = value as JsonObject;
    return { proof: whole.data.proof, body };
  }
  const alone = reportProof.safeParse(value);
  return alone.success ? { proof: alone.data, body: null } : null;
}

/** @throws VerificationFailed */
export function readEvidence(file: string): Evidence {
  const found = evidenceIn(readJson(file));
  if (!found) throw new VerificationFailed('unusable', `${file}: neither a proof nor an answer with a proof`);
  return found;
}

const keySet = z.object({ keys: z.array(publicKey).min(1) });

/** @throws VerificationFailed */
export function readKeys(file: string): Keys {
  const parsed = keySet.safeParse(readJson(file));
  if (!parsed.success) throw new VerificationFailed('unusable', `${file}: not a set of public ledger keys`);
  return new Map(parsed.data.keys.map(({ kty, crv, x }) => [thumbprint({ kty, crv, x }), { kty, crv, x }]));
}

/** Checkpoints in a file: a single one, an array, or the one in a proof or an answer. @throws VerificationFailed */
export function readCheckpoints(file: string): Checkpoint[] {
  const value = readJson(file);
  const several = z.union([checkpoint.transform(one => [one]), z.array(checkpoint)]).safeParse(value);
  if (several.success) return several.data;
  const found = evidenceIn(value)?.proof.checkpoint;
  if (!found) throw new VerificationFailed('unusable', `${file}: no checkpoint`);
  return [found];
}

/** @param keys the trusted keys; null to trust the key in the proof. @throws VerificationFailed */
export function checkProof(proof: ReportProof, keys: Keys | null): void {
  if (thumbprint(proof.key) !== proof.keyId)
    throw new VerificationFailed('bad_signature', 'the key in the proof is not the one that it names');
  const key = keys ? keys.get(proof.keyId) : proof.key;
  if (!key)
    throw new VerificationFailed('bad_signature', `the proof is signed by an unknown key: ${proof.keyId}`);
  if (!verifySignature(proofStatement(proof), proof.signature, key))
    throw new VerificationFailed('bad_signature', 'the signature of the proof is invalid');
}

/** @param proofKey the key in the proof, used when `keys` is null. @throws VerificationFailed */
export function checkCheckpoint(signed: Checkpoint, keys: Keys | null, proofKey: PublicKey | null): void {
  const name = nameOf(signed);
  const key = keys
    ? keys.get(signed.keyId)
    : proofKey && thumbprint(proofKey) === signed.keyId
      ? proofKey
      : null;
  if (!key) {
    if (!keys) return;
    throw new VerificationFailed('bad_signature', `${name} is signed by an unknown key: ${signed.keyId}`);
  }
  if (!verifySignature(checkpointStatement(signed), signed.signature, key))
    throw new VerificationFailed('bad_signature', `the signature of ${name} is invalid`);
}

export function nameOf({ at, size }: Checkpoint): string {
  return `the checkpoint of ${at} (${size} events)`;
}
