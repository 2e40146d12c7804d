import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Address, beginCell, Cell, internal, toNano } from '@ton/core';
import fc from 'fast-check';
import {
  anchorComment,
  MAX_ANCHOR_BYTES,
  type Anchor,
  type AnchorProof,
} from '../../contracts/ledger-tree/anchor';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { eventDigest } from '../../contracts/ledger-tree/ledger-line';
import { LedgerTree } from '../../contracts/ledger-tree/tree-head';
import { BILLING_VERSIONS } from '../../projections/billing/billing-projections';
import { quietDevnet } from '../../test/devnet/ton';
import * as example from '../../test/proofs/example-files';
import { isEvent, positionIn, writeLines } from '../../test/proofs/exported-ledger';
import {
  ANCHOR_ACCOUNT,
  type AnchoringNetwork,
  anchoringNetwork,
  toItself,
} from '../../test/proofs/local-anchor';
import { computedAnswer, resignedCheckpoint, signedAnswer } from '../../test/proofs/test-key-signer';
import { runs } from '../../test/random';
import { temporaryFolder } from '../../test/temporary-folder';
import type { VerifiedAnchor } from './describe-anchor';
import type { TonDevnet } from '../devnet/ton/devnet';
import { checkCheckpoint, evidenceIn, readKeys } from './evidence';
import { hashEvents } from './hash-events';
import { VerificationFailed } from './outcome';
import { verifyAnchors } from './verify-anchor';
import { verifyHistory } from './verify-history';
import { verifyReport } from './verify-report';

const LEVELS: readonly AnchorProof['level'][] = ['transaction', 'block', 'masterchain'];
const checkpoint = JSON.parse(example.checkpoint) as Checkpoint;
const other: Checkpoint = { ...checkpoint, root: 'ab'.repeat(32) };

const folder = temporaryFolder();
const keysFile = join(folder, 'keys.json');
let devnet: TonDevnet;
let network: AnchoringNetwork;
let anchors: Record<AnchorProof['level'], Anchor>;

beforeAll(async () => {
  writeFileSync(keysFile, example.keys);
  devnet = await quietDevnet();
  network = await anchoringNetwork(devnet);
  anchors = await network.anchor(checkpoint);
});
afterAll(() => devnet.close());

function verify(value: Anchor | Buffer, account?: string): VerifiedAnchor {
  const file = join(folder, 'anchor.json');
  writeFileSync(file, Buffer.isBuffer(value) ? value : JSON.stringify(value));
  return verifyAnchors([file], account)[0]!;
}

function failure(value: Anchor | Buffer, account?: string): [outcome: string, message: string] {
  try {
    verify(value, account);
  } catch (error) {
    if (error instanceof VerificationFailed) return [error.outcome, error.message];
    throw error;
  }
  throw new Error('verified');
}

const bad = (text: string) => ['bad_anchor', expect.stringContaining(text)];
const unusable = (text: string) => ['unusable', expect.stringContaining(text)];

it('shows whose message had the head of a checkpoint, and when, up to the level of the file', () => {
  for (const level of LEVELS) {
    const { transaction, proof } = anchors[level];
    const found = verify(anchors[level], ANCHOR_ACCOUNT);
    expect(found).toMatchObject({ ...transaction, level, network: 'testnet', checkpoint });
    expect(found.block).toEqual(
      proof.level === 'transaction' ? null : proof.level === 'block' ? proof.block : proof.masterchain,
    );
    expect(Math.abs(Date.parse(found.at) - Date.now())).toBeLessThan(86_400_000);
  }
  expect(verify(anchors.block, Address.parseRaw(ANCHOR_ACCOUNT).toString()).account).toBe(ANCHOR_ACCOUNT);
});

it('refuses the head of another ledger, another account and another transaction', async () => {
  const { proof, transaction } = anchors.masterchain;
  const forged = await network.anchor(other);
  for (const level of LEVELS) {
    expect(failure({ ...anchors[level], checkpoint: other })).toEqual(bad('no message with the comment'));
    for (const change of [{ size: 5 }, { instance: 'another' }])
      expect(failure({ ...anchors[level], checkpoint: { ...checkpoint, ...change } })).toEqual(
        bad('no message with the comment'),
      );
    const elsewhere = `0:${'1a'.repeat(32)}`;
    expect(failure(anchors[level], elsewhere)).toEqual(bad(`not of ${elsewhere}`));
    expect(failure({ ...anchors[level], transaction: forged[level].transaction })[0]).toBe('bad_anchor');
    expect(failure({ ...anchors[level], transaction: { ...transaction, account: elsewhere } })[0]).toBe(
      'bad_anchor',
    );
    const later = { ...transaction, lt: String(BigInt(transaction.lt) + 1n) };
    expect(failure({ ...anchors[level], transaction: later })[0]).toBe('bad_anchor');
    expect(failure({ ...anchors[level], transaction: { ...transaction, hash: '0'.repeat(64) } })).toEqual(
      bad(`not ${'0'.repeat(64)}`),
    );
    // The proof of another transaction, whose comment is that of another head.
    expect(failure({ ...forged[level], checkpoint })).toEqual(bad('no message with the comment'));
  }
  expect(failure({ ...anchors.block, proof: forged.block.proof })).toEqual(bad('no proof that the block'));
  const inMasterchain = proof as Extract<AnchorProof, { level: 'masterchain' }>;
  const ofOther = forged.masterchain.proof as typeof inMasterchain;
  for (const change of [
    { shardProof: ofOther.shardProof, masterchain: ofOther.masterchain },
    { previousProofs: [ofOther.shardProof] },
    { masterchain: ofOther.masterchain },
  ])
    expect(failure({ ...anchors.masterchain, proof: { ...inMasterchain, ...change } })).toEqual(
      bad('no proof that the block of the masterchain'),
    );
  for (const [name, text] of [
    ['block', 'the block has the seqno'],
    ['masterchain', 'the block of the masterchain has the seqno'],
  ] as const) {
    const block = { ...inMasterchain[name], seqno: inMasterchain[name].seqno + 1 };
    expect(failure({ ...anchors.masterchain, proof: { ...inMasterchain, [name]: block } })).toEqual(
      bad(text),
    );
  }
});

/** The proof of a block that differs in its network alone. */
function ofNetwork(proof: string, globalId: number): { rootHash: string; proof: string } {
  const block = Cell.fromBase64(proof).refs[0]!;
  const other = beginCell().storeUint(0x11ef55aa, 32).storeInt(globalId, 32);
  for (const ref of block.refs) other.storeRef(ref);
  const root = other.endCell();
  const merkleProof = beginCell().storeUint(3, 8).storeBuffer(root.hash(0)).storeUint(root.depth(0), 16);
  return {
    rootHash: root.hash(0).toString('hex'),
    proof: merkleProof.storeRef(root).endCell({ exotic: true }).toBoc().toString('base64'),
  };
}

it('refuses blocks of another network than the file says', () => {
  for (const level of ['block', 'masterchain'] as const)
    expect(failure({ ...anchors[level], network: 'mainnet' })).toEqual(
      bad('the block is one of testnet, not of mainnet'),
    );
  const { proof } = anchors.masterchain as { proof: Extract<AnchorProof, { level: 'masterchain' }> };
  const other = ofNetwork(proof.transactionProof, 7);
  const inBlock = { ...proof.block, rootHash: other.rootHash };
  expect(
    failure({
      ...anchors.block,
      proof: { level: 'block', block: inBlock, transactionProof: other.proof },
    }),
  ).toEqual(bad('the block is one of the network with the global id 7, not of testnet'));
  const mainnet = ofNetwork(proof.shardProof, -239);
  const masterchain = { ...proof.masterchain, rootHash: mainnet.rootHash };
  expect(
    failure({ ...anchors.masterchain, proof: { ...proof, masterchain, shardProof: mainnet.proof } }),
  ).toEqual(bad('the block of the masterchain is one of mainnet, not of testnet'));
});

it('refuses a comment that the wallet was sent, and one that only contains the head', async () => {
  const text = anchorComment(checkpoint);
  for (const messages of [
    [toItself(`${text} `)],
    [toItself(text.slice(0, -1))],
    [
      internal({
        to: Address.parseRaw(ANCHOR_ACCOUNT),
        value: toNano('0.01'),
        body: text.replace('v1', 'v2'),
      }),
    ],
  ]) {
    const sent = await network.anchor(checkpoint, messages);
    expect(failure(sent.masterchain)).toEqual(bad('no message with the comment'));
  }
  const several = await network.anchor(checkpoint, [toItself('another'), toItself(text)]);
  expect(verify(several.masterchain).level).toBe('masterchain');
});

it('proves up to the masterchain where shards split and merge', async () => {
  for (const reshard of ['splitShards', 'mergeShards'] as const) {
    const { masterchain } = await network.anchorInBlockOf(reshard, checkpoint);
    const { previousProofs, ...proof } = masterchain.proof as Extract<AnchorProof, { level: 'masterchain' }>;
    expect(previousProofs).toHaveLength(1);
    expect(verify(masterchain).level).toBe('masterchain');
    expect(failure({ ...masterchain, proof: { ...proof, previousProofs: [] } })).toEqual(
      bad('no proof that the block of the masterchain'),
    );
  }
});

/** What an operator can do who has the key: every signature is valid, and the answer follows from the events. */
it('refuses a history that was rewritten and signed again, which is verified without the anchor', async () => {
  const events = example.ledger.split('\n').filter(isEvent);
  // A fee of which nothing says more.
  const at = events.findIndex(
    line =>
      line.includes('"FeeRecorded"') &&
      events.filter(each => each.includes((JSON.parse(line) as { stream: string }).stream)).length === 1,
  );
  const rewritten = events.with(at, events[at]!.replace('"fee_amount":"', '"fee_amount":"9'));
  expect(rewritten).not.toEqual(events);
  const file = writeLines(join(folder, 'rewritten.ndjson'), rewritten);
  const query = { action: 'get_revenue' };
  const body = await computedAnswer(join(folder, 'computed.ndjson'), rewritten, query, BILLING_VERSIONS);
  const signed = await signedAnswer(rewritten, query, body, BILLING_VERSIONS);
  const given = { file, evidence: evidenceIn(signed), keys: readKeys(keysFile), hash: hashEvents };
  expect((await verifyReport({ ...given, checkpoints: [] })).signed).toBe(events.length);

  const { checkpoint: held } = verify(anchors.masterchain, ANCHOR_ACCOUNT);
  await expect(verifyReport({ ...given, checkpoints: [held] })).rejects.toMatchObject({ outcome: 'altered' });
  const alone = { keys: given.keys, checkpoints: [held], hash: hashEvents };
  await expect(verifyHistory({ file, ...alone })).rejects.toMatchObject({ outcome: 'altered' });
  const short = writeLines(join(folder, 'short.ndjson'), events.slice(0, held.size - 1));
  await expect(verifyHistory({ file: short, ...alone })).rejects.toMatchObject({ outcome: 'truncated' });
  const honest = writeLines(join(folder, 'honest.ndjson'), events);
  expect(await verifyHistory({ file: honest, ...alone })).toMatchObject({
    instance: 'local',
    signed: held.size,
  });

  // Signed for the rewritten history, the file would have to show another comment than the chain has.
  const size = held.size;
  const tree = new LedgerTree();
  for (const line of rewritten.slice(0, size)) tree.append(eventDigest(line), positionIn(line));
  const forged = resignedCheckpoint({ ...checkpoint, ...tree.head() }) as unknown as Checkpoint;
  expect(checkCheckpoint(forged, given.keys, null)).toBe(true);
  expect(failure({ ...anchors.masterchain, checkpoint: forged })).toEqual(bad('no message with the comment'));
});

it('refuses files that are too big, cut off, or not cells', () => {
  const whole = Buffer.from(JSON.stringify(anchors.masterchain));
  expect(failure(Buffer.concat([whole, Buffer.alloc(MAX_ANCHOR_BYTES, 0x20)]))).toEqual(
    unusable(`more than ${MAX_ANCHOR_BYTES} bytes`),
  );
  for (const part of [0, 1, 100, whole.length >> 1, whole.length - 1])
    expect(failure(whole.subarray(0, part))[0]).toBe('unusable');
  const proof = anchors.block.proof as Extract<AnchorProof, { level: 'block' }>;
  const cells = Buffer.from(proof.transactionProof, 'base64');
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(9),
    cells.subarray(0, -1),
    Buffer.concat([cells, cells]),
  ])
    expect(
      failure({ ...anchors.block, proof: { ...proof, transactionProof: bytes.toString('base64') } }),
    ).toEqual(unusable('/proof/transactionProof is no bag of a few cells'));
  for (const change of [
    { network: 'mainnet2' },
    { version: 2 },
    { more: 1 },
    { proof: { ...proof, level: 'signed' } },
    { proof: { ...proof, transactionProof: `${proof.transactionProof}\n` } },
    { transaction: { ...anchors.block.transaction, account: ANCHOR_ACCOUNT.replace('0:', '-1:') } },
  ])
    expect(failure({ ...anchors.block, ...change } as Anchor)).toEqual(unusable('not an anchor'));
  expect(failure(anchors.block, 'nobody')).toEqual(unusable('--anchor-account: nobody is no address'));
});

/** With the keys of the instance, as an auditor verifies: an anchor whose checkpoint is not a signed one proves nothing. */
it('verifies in no form but its own, whichever bit of the file is flipped', () => {
  const keys = readKeys(keysFile);
  fc.assert(
    fc.property(fc.constantFrom(...LEVELS), fc.nat(), fc.nat(7), (level, at, bit) => {
      const bytes = Buffer.from(JSON.stringify(anchors[level]));
      bytes[at % bytes.length]! ^= 1 << bit;
      expect(() => checkCheckpoint(verify(bytes).checkpoint, keys, null)).toThrow(VerificationFailed);
    }),
    runs(600),
  );
  for (const level of LEVELS)
    expect(checkCheckpoint(verify(anchors[level]).checkpoint, keys, null)).toBe(true);
});
