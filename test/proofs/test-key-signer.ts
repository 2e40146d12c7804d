import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Json, JsonObject } from '../../contracts/json/json';
import { checkpointStatement, type Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { thumbprint } from '../../contracts/ledger-tree/keys';
import { eventDigest } from '../../contracts/ledger-tree/ledger-line';
import type { MerchantProof } from '../../contracts/ledger-tree/merchant-proof';
import { auditPathOf, MerkleTree, type ReadSubtreeRoot } from '../../contracts/ledger-tree/merkle-tree';
import { bodyDigest, proofStatement, type ReportProof } from '../../contracts/ledger-tree/report-proof';
import { readSubtreeRoots } from '../../contracts/ledger-tree/subtree-roots';
import { LedgerTree, type TreeHead } from '../../contracts/ledger-tree/tree-head';
import { positionOf, readEvents } from '../../infra/verifier/export-lines';
import { ReportComputation } from '../../infra/verifier/report-computation';
import { planReport } from '../../infra/verifier/report-plan';

const TIME_ZONE = 'Europe/Berlin';

/** The secret key of RFC 8032, section 7.1, test 1, as PKCS #8: of the example, and of nothing else. */
const privateKey = createPrivateKey({
  key: Buffer.from(
    '302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'hex',
  ),
  format: 'der',
  type: 'pkcs8',
});
const key = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: createPublicKey(privateKey).export({ format: 'jwk' }).x!,
} as const;

/**
 * The body with a proof of it, for the query on these lines of events, whether or not they yield it.
 * @param projections versions that the proof names
 */
export async function signedAnswer(
  events: readonly string[],
  query: JsonObject,
  body: JsonObject,
  projections: ReportProof['projections'],
): Promise<Json> {
  const { head: treeHead, readRoot } = treeOf(events);
  const { size, position, head, root } = treeHead;
  const claims = {
    version: 1 as const,
    instance: 'local',
    timeZone: TIME_ZONE,
    size,
    position,
    head,
    root,
    query,
    bodyDigest: bodyDigest(body),
    projections,
    keyId: thumbprint(key),
  };
  const subtreeRoots = await readSubtreeRoots(size, readRoot);
  const signature = sign(null, proofStatement(claims), privateKey).toString('base64url');
  return { ...body, proof: { ...claims, signature, key, checkpoint: null, subtreeRoots } } as unknown as Json;
}

/** With a signature of what it says now, whatever that is. */
export function resignedProof(proof: JsonObject): JsonObject {
  return resigned(proof, proofStatement(proof as unknown as ReportProof));
}

/** With a signature of what it says now, whatever that is. */
export function resignedCheckpoint(checkpoint: JsonObject): JsonObject {
  return resigned(checkpoint, checkpointStatement(checkpoint as unknown as Checkpoint));
}

const resigned = (signed: JsonObject, statement: Buffer): JsonObject => ({
  ...signed,
  signature: sign(null, statement, privateKey).toString('base64url'),
});

function treeOf(events: readonly string[]): { readonly head: TreeHead; readonly readRoot: ReadSubtreeRoot } {
  const digests = events.map(eventDigest);
  const tree = new LedgerTree();
  for (const [n, digest] of digests.entries()) tree.append(digest, positionOf(Buffer.from(events[n]!))!);
  return {
    head: tree.head(),
    async readRoot(level, index) {
      const subtree = new MerkleTree();
      for (const digest of digests.slice(index * 2 ** level, (index + 1) * 2 ** level))
        subtree.append(digest);
      return subtree.root();
    },
  };
}

/**
 * The proof of a merchant that some of the events are in the ledger.
 * @param chosen indexes of these events
 */
export async function signedMerchantProof(
  events: readonly string[],
  merchantId: string,
  chosen: readonly number[],
): Promise<MerchantProof> {
  const { head, readRoot } = treeOf(events);
  const claims = {
    version: 1 as const,
    instance: 'local',
    ...head,
    at: '2026-11-30T00:00:00.000Z',
    migratedFrom: null,
    keyId: thumbprint(key),
  };
  const signature = sign(null, checkpointStatement(claims), privateKey).toString('base64url');
  const proven = chosen.map(async leafIndex => ({
    leafIndex,
    line: events[leafIndex]!,
    auditPath: (await auditPathOf(leafIndex, head.size, readRoot)).map(hash => hash.toString('hex')),
  }));
  return {
    version: 1,
    merchantId,
    billingPeriod: null,
    checkpoint: { ...claims, signature },
    events: await Promise.all(proven),
  };
}

/**
 * What tidemark-verify computes from the events, with each personal text as if it was erased.
 * @param file where to write the events
 * @throws VerificationFailed when they yield no answer
 */
export async function computedAnswer(
  file: string,
  events: readonly string[],
  query: JsonObject,
  projections: ReportProof['projections'],
): Promise<JsonObject> {
  writeFileSync(file, events.map(line => `${line}\n`).join(''));
  const position = events.length === 0 ? -1 : positionOf(Buffer.from(events.at(-1)!))!;
  const computation = new ReportComputation(events.length, planReport(query, position, projections));
  for await (const batch of readEvents(file)) computation.add(batch);
  return erased(await computation.finish(file)) as JsonObject;
}

function erased(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(erased);
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    const text = name.endsWith('Erased') ? value[name.slice(0, -'Erased'.length)] : undefined;
    if (text !== undefined) return [name, text !== null];
    return [name, `${name}Erased` in value ? null : erased(member)];
  });
  return Object.fromEntries(members);
}
