import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../json/json';
import { commitmentOf } from '../text/personal-text';
import { checkpointStatement } from './checkpoint';
import { DigestLineWriter } from './digest-lines';
import { HashChain } from './hash-chain';
import { thumbprint } from './keys';
import { eventDigest, ledgerLine } from './ledger-line';
import { auditPathOf, leafHash, MerkleTree, rangeRoot } from './merkle-tree';
import { bodyDigest, proofStatement } from './report-proof';
import { readSubtreeRoots } from './subtree-roots';

/** The secret key of RFC 8032, section 7.1, test 1, as PKCS #8. */
const PKCS8 = Buffer.from(
  '302e020100300506032b657004220420' + '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  'hex',
);
const privateKey = createPrivateKey({ key: PKCS8, format: 'der', type: 'pkcs8' });
const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
const key = { kty: 'OKP', crv: 'Ed25519', x: x! } as const;
const keyId = thumbprint(key);
const signed = (statement: Buffer) => ({
  statement: statement.toString(),
  signature: sign(null, statement, privateKey).toString('base64url'),
});

const FACTS = {
  billing_period: '2026-11',
  created_at: '2026-11-20T11:00:00.000Z',
  day: '2026-11-20',
  fee_type: 'creation',
  gross_amount: '100.00',
  merchant_id: 'm-1',
  merchant_name: 'Bäckerei "Süß" & Söhne\u2028',
  merchant_slug: 'baeckerei',
};
const lines = ['f-1', 'f-2', 'f-3'].map((id, n) =>
  ledgerLine({
    position: 2 * n,
    stream: `fee-${id}`,
    revision: 0,
    id: `00000000-0000-4000-8000-00000000000${n}`,
    type: 'FeeRecorded',
    data: { ...FACTS, id, fee_amount: `${n}.50`, collection_status: n === 1 ? 'pending' : 'collected' },
    metadata: { actor: 'ann', v: 1 },
    created: `2026-11-20T12:00:0${n}.000Z`,
  }),
);
const BODY = {
  summary: [],
  invoice: { voidReason: 'doubled', voidReasonErased: false, number: null },
  total: 1,
} satisfies Json;

/** Digests of the texts `0`, `1`, `2`, …, in place of those of events. */
const digestsOf = (size: number): Buffer[] => Array.from({ length: size }, (_, n) => eventDigest(String(n)));

function headOf(digests: readonly Buffer[]) {
  const [chain, tree] = [new HashChain(), new MerkleTree()];
  for (const digest of digests) {
    chain.append(digest);
    tree.append(digest);
  }
  return { size: digests.length, head: chain.head.toString('hex'), root: tree.root().toString('hex') };
}

function readerOf(digests: readonly Buffer[]) {
  return async (level: number, index: number): Promise<Buffer> => {
    const tree = new MerkleTree();
    for (const digest of digests.slice(index * 2 ** level, (index + 1) * 2 ** level)) tree.append(digest);
    return tree.root();
  };
}

async function vectors(): Promise<Json> {
  const digests = lines.map(eventDigest);
  const head = { ...headOf(digests), position: 4 };
  const writer = new DigestLineWriter();
  for (const [n, digest] of digests.entries()) writer.add(digest, 2 * n);
  const read = readerOf(digests);
  const checkpoint = {
    version: 1 as const,
    instance: 'local',
    ...head,
    at: '2026-11-20T12:00:03.000Z',
    migratedFrom: null,
    keyId,
  };
  const claims = {
    version: 1 as const,
    instance: 'local',
    timeZone: 'Europe/Berlin',
    ...head,
    query: { action: 'get_revenue', dateFrom: '2026-11-01' },
    bodyDigest: bodyDigest(BODY),
    projections: { fees: 2, merchants: 1 },
    keyId,
  };
  const opening = Buffer.alloc(32, 7);
  return {
    lines,
    digests: digests.map(digest => digest.toString('hex')),
    leafHashes: digests.map(digest => leafHash(digest).toString('hex')),
    heads: [0, 1, 2, 3].map(size => headOf(digests.slice(0, size))),
    digestLine: writer.end(),
    auditPaths: await Promise.all(
      digests.map(async (_, n) => (await auditPathOf(n, 3, read)).map(hash => hash.toString('hex'))),
    ),
    numbered: await Promise.all(
      [7, 256, 257, 1000].map(async size => {
        const all = digestsOf(size);
        const { level, roots, remainder } = await readSubtreeRoots(size, readerOf(all));
        return {
          ...headOf(all),
          subtreeRoots: { level, count: Buffer.from(roots, 'base64').length / 32, remainder },
        };
      }),
    ),
    rangeOfSeven: (await rangeRoot(0, 7, readerOf(digestsOf(7)))).toString('hex'),
    key,
    keyId,
    checkpoint: { ...checkpoint, ...signed(checkpointStatement(checkpoint)) },
    body: BODY,
    bodyDigest: bodyDigest(BODY),
    proof: { claims, ...signed(proofStatement(claims)) },
    personalText: {
      text: 'wire 17: Grüße',
      opening: opening.toString('base64url'),
      commitment: commitmentOf(opening, 'wire 17: Grüße'),
    },
  };
}

it('are those of the documentation (PROOFS.md)', async () => {
  const documented = JSON.parse(readFileSync(join(__dirname, 'vectors.json'), 'utf8')) as Json;
  expect(await vectors()).toEqual(documented);
});
