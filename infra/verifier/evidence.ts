import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import type { Json, JsonObject } from '../../contracts/json/json';
import { checkpoint, checkpointStatement, type Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { verifySignature, publicKey, thumbprint, type PublicKey } from '../../contracts/ledger-tree/keys';
import { proofStatement, reportProof, type ReportProof } from '../../contracts/ledger-tree/report-proof';
import { NotIJson, parseIJson } from '../../contracts/json/i-json';
import { counted } from '../../contracts/text/counted';
import { fileFault } from '../config/file-error';
import { VerificationFailed } from './outcome';

/** Public keys by their thumbprints. */
export type Keys = ReadonlyMap<string, PublicKey>;

/** A served answer with its proof, or the proof alone. */
export interface Evidence {
  readonly proof: ReportProof;
  /** The answer without the proof; null for a proof alone. */
  readonly body: Json | null;
}

/** A proof of a hundred thousand events of a merchant is smaller. */
const MAX_JSON_BYTES = 2 ** 28;
const CHUNK_BYTES = 2 ** 20;

/** @throws VerificationFailed */
export function readJson(file: string, maxBytes = MAX_JSON_BYTES): Json {
  try {
    return parseIJson(readBounded(file, maxBytes));
  } catch (error) {
    const reason = error instanceof NotIJson ? `not I-JSON (RFC 7493): ${error.message}` : fileFault(error);
    throw new VerificationFailed('unusable', `${file}: ${reason}`);
  }
}

/** The bytes of a file or a pipe. @throws Error */
function readBounded(file: string, maxBytes: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let size = 0; size <= maxBytes;) {
      const read = readSync(descriptor, chunk);
      if (read === 0) return Buffer.concat(chunks);
      chunks.push(Buffer.from(chunk.subarray(0, read)));
      size += read;
    }
    throw new Error(`it has more than ${maxBytes} bytes`);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The value itself, of exactly the form.
 * @param what the file is to be, such as "a checkpoint"
 * @throws VerificationFailed that names the first member at fault
 */
export function checkForm<Schema extends z.ZodType>(
  schema: Schema,
  value: Json,
  file: string,
  what: string,
): z.output<Schema> {
  const issues = schema.safeParse(value).error?.issues ?? [];
  // A member too many says more than the ones that another value has not.
  const fault = faultOf(issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]);
  if (fault !== null) throw new VerificationFailed('unusable', `${file}: not ${what}: ${fault}`);
  return value as z.output<Schema>;
}

function faultOf(issue: z.core.$ZodIssue | undefined): string | null {
  if (!issue) return null;
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path;
  const named = path.length === 0 ? 'it' : path.map(step => `/${String(step)}`).join('');
  return issue.code === 'unrecognized_keys' ? `${named} is no member of it` : `${named}: ${issue.message}`;
}

/** What has a member `proof` is an answer. @throws VerificationFailed */
export function evidenceIn(value: Json, file = 'the answer'): Evidence {
  if (!isObject(value) || !Object.hasOwn(value, 'proof'))
    return { proof: checkProofForm(value, file, 'an answer with a `proof`, or a proof alone'), body: null };
  const { proof, ...body } = value;
  return { proof: checkProofForm(proof!, file, 'an answer whose `proof` is one'), body };
}

/** zod leaves a member `__proto__` of a record out, and does not look at it. */
function checkProofForm(value: Json, file: string, what: string): ReportProof {
  const proof = checkForm(reportProof, value, file, what);
  const lost = { projections: z.int().min(0), openings: z.never() };
  for (const [name, form] of Object.entries(lost)) {
    const hidden = Object.entries(proof[name as keyof typeof lost] ?? {}).find(
      ([each]) => each === '__proto__',
    );
    if (hidden && !form.safeParse(hidden[1]).success)
      throw new VerificationFailed('unusable', `${file}: not ${what}: /${name}/__proto__ is not of its form`);
  }
  return proof;
}

const isObject = (value: Json): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** @throws VerificationFailed */
export function readEvidence(file: string): Evidence {
  return evidenceIn(readJson(file), file);
}

const keySet = z.strictObject({
  keys: z
    .array(
      publicKey
        .extend({ kid: z.string(), alg: z.literal('EdDSA'), use: z.literal('sig') })
        .partial({ kid: true, alg: true, use: true })
        .strict(),
    )
    .min(1),
});

/** @throws VerificationFailed */
export function readKeys(file: string): Keys {
  const { keys } = checkForm(keySet, readJson(file), file, 'a set of public ledger keys');
  return new Map(
    keys.map(({ kty, crv, x, kid }) => {
      const keyId = thumbprint({ kty, crv, x });
      if (kid !== undefined && kid !== keyId)
        throw new VerificationFailed('unusable', `${file}: the key named ${kid} is ${keyId}`);
      return [keyId, { kty, crv, x }];
    }),
  );
}

/** The checkpoint in a file, as `tidemark proof checkpoint` writes it. @throws VerificationFailed */
export function readCheckpoint(file: string): Checkpoint {
  return checkForm(checkpoint, readJson(file), file, 'a checkpoint');
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

/**
 * @param proofKey the key in the proof, used when `keys` is null
 * @returns false when no key was given that could check it
 * @throws VerificationFailed
 */
export function checkCheckpoint(signed: Checkpoint, keys: Keys | null, proofKey: PublicKey | null): boolean {
  const name = nameOf(signed);
  const key = keys
    ? keys.get(signed.keyId)
    : proofKey && thumbprint(proofKey) === signed.keyId
      ? proofKey
      : null;
  if (!key) {
    if (!keys) return false;
    throw new VerificationFailed('bad_signature', `${name} is signed by an unknown key: ${signed.keyId}`);
  }
  if (!verifySignature(checkpointStatement(signed), signed.signature, key))
    throw new VerificationFailed('bad_signature', `the signature of ${name} is invalid`);
  return true;
}

export function nameOf({ at, size }: Checkpoint): string {
  return `the checkpoint of ${at} (${counted(size, 'event')})`;
}

/** A signed tree head that the events were compared with. */
export interface Compared {
  readonly name: string;
  /** Whose signature was checked; null when no key for that was given. */
  readonly signedBy: string | null;
}

export function describeCompared({ name, signedBy }: Compared): string {
  return `compared with ${name}, ${signedBy === null ? 'its signature was not checked: use --keys' : `signed by ${signedBy}`}`;
}
