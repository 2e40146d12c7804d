import type { Samples } from '../sample';

const account = `0:${'2'.repeat(64)}`;
const boc = 'te6cckEBAQEAAgAAAEysuc0=';
const about = { network: 'testnet', account, count: 1, seqno: 7, at: '2026-11-28T12:00:00.000Z' };
const checkpoint = {
  version: 1,
  instance: 'local',
  size: 12,
  position: 41,
  head: 'ab'.repeat(32),
  root: 'cd'.repeat(32),
  at: '2026-11-28T11:59:00.000Z',
  migratedFrom: null,
  keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  signature: 'A'.repeat(86),
};
const message = { ...about, checkpoint, validUntil: 1_795_867_320 };
const transaction = { account, lt: '47000001', hash: 'ef'.repeat(32) };
const inBlock = { block: { seqno: 31, rootHash: '12'.repeat(32) }, transactionProof: boc };
const inMasterchain = {
  ...inBlock,
  masterchain: { seqno: 30, rootHash: '34'.repeat(32) },
  shardProof: boc,
  previousProofs: [boc],
};

export const LEDGER_ANCHOR_SAMPLES: Samples = {
  LedgerAnchorSigned: [{ v: 1, data: { ...message, message: boc } }],
  LedgerHeadAnchored: [
    { v: 1, data: { ...message, transaction, proof: { level: 'transaction', transaction: boc } } },
    { v: 1, data: { ...message, transaction, proof: { level: 'block', ...inBlock } } },
    { v: 1, data: { ...message, transaction, proof: { level: 'masterchain', ...inMasterchain } } },
  ],
  LedgerAnchorProven: [
    { v: 1, data: { ...about, proof: { level: 'block', ...inBlock } } },
    { v: 1, data: { ...about, proof: { level: 'masterchain', ...inMasterchain } } },
  ],
  LedgerAnchorFailed: ['expired', 'dropped', 'replaced', 'not_sent'].map(reason => ({
    v: 1,
    data: { ...about, reason },
  })),
};
