import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createCalendar } from '../../contracts/calendar';
import type { Json, JsonObject } from '../../contracts/json';
import { thumbprint } from '../../contracts/ledger-tree/keys';
import { eventDigest } from '../../contracts/ledger-tree/ledger-line';
import { MerkleTree } from '../../contracts/ledger-tree/merkle-tree';
import { bodyDigest, proofStatement, type ReportProof } from '../../contracts/ledger-tree/report-proof';
import { readSubtreeRoots } from '../../contracts/ledger-tree/subtree-roots';
import { LedgerTree } from '../../contracts/ledger-tree/tree-head';
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
  const digests = events.map(eventDigest);
  const tree = new LedgerTree();
  for (const [n, digest] of digests.entries()) tree.append(digest, positionOf(Buffer.from(events[n]!))!);
  const { size, position, head, root } = tree.head();
  const claims = {
    ...{ version: 1 as const, instance: 'local', timeZone: TIME_ZONE, size, position, head, root, query },
    ...{ bodyDigest: bodyDigest(body), projections, keyId: thumbprint(key) },
  };
  const subtreeRoots = await readSubtreeRoots(size, async (level, index) => {
    const subtree = new MerkleTree();
    for (const digest of digests.slice(index * 2 ** level, (index + 1) * 2 ** level)) subtree.append(digest);
    return subtree.root();
  });
  const signature = sign(null, proofStatement(claims), privateKey).toString('base64url');
  return { ...body, proof: { ...claims, signature, key, checkpoint: null, subtreeRoots } } as unknown as Json;
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
  const computation = new ReportComputation(
    events.length,
    planReport(query, createCalendar(TIME_ZONE), position, projections),
  );
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
