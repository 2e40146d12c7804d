import type { Samples } from '../sample';

const TREE_HEAD = { size: 12, position: 41, head: 'ab'.repeat(32), root: 'cd'.repeat(32) };
const CHECKPOINT = {
  version: 1,
  instance: 'local',
  ...TREE_HEAD,
  at: '2026-11-30T23:59:00.000Z',
  migratedFrom: null,
  keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  signature: 'A'.repeat(86),
};

export const LEDGER_CHECKPOINT_SAMPLES: Samples = {
  CheckpointSigned: [
    { v: 1, data: CHECKPOINT },
    { v: 1, data: { ...CHECKPOINT, migratedFrom: { ...TREE_HEAD, position: -1, size: 0 } } },
  ],
};
