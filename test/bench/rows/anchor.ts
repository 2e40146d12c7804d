import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginCell, type Cell } from '@ton/core';
import { canonicalJson } from '../../../contracts/json/canonical-json';
import type { Anchor, AnchorProof } from '../../../contracts/ledger-tree/anchor';
import { eventDigest } from '../../../contracts/ledger-tree/ledger-line';
import type { Checkpoint } from '../../../contracts/ledger-tree/checkpoint';
import { LedgerTree } from '../../../contracts/ledger-tree/tree-head';
import { createLogger } from '../../../infra/config/logger';
import { startTonDevnet } from '../../../infra/devnet/ton/devnet';
import { anchoringNetwork } from '../../proofs/local-anchor';
import { figure, paired } from '../figure';
import { interleave } from '../interleave';
import type { Row } from '../row';

const VERIFIER = join(__dirname, '..', '..', '..', 'infra', 'verifier', 'main.js');
const GOAL = { of: 'value', atMost: 1_000 } as const;
const LINE = canonicalJson({
  position: 0,
  stream: 'fee-1',
  revision: 0,
  id: '00000000-0000-4000-8000-000000000000',
  type: 'FeeRecorded',
  data: {},
  metadata: { v: 1 },
  created: '2026-11-28T12:00:00.000Z',
});

/**
 * Verifying the file of an anchor, with an export of one event, against starting the verifier; and refusing the file that takes
 * longest, of as many cells as it reads.
 */
export const row: Row = async ({ sized, folder, say }) => {
  say('anchoring a head');
  const devnet = await startTonDevnet({
    network: 'testnet',
    dataDir: folder,
    host: '127.0.0.1',
    logger: createLogger('fatal'),
  });
  const { masterchain } = await (await anchoringNetwork(devnet)).anchor(checkpointOf(LINE));
  await devnet.close();
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const ledger = write('ledger.ndjson', `${LINE}\n`);
  const file = write('anchor.json', JSON.stringify(masterchain));
  const worst = write('worst.json', JSON.stringify(worstOf(masterchain)));
  say('verifying');
  const rounds = sized({ full: 20, quick: 5, smallest: 1 });
  const { help, verify, refuse } = await interleave(rounds, {
    help: () => time(['--help'], 0),
    verify: () => time([ledger, '--anchor', file], 0),
    refuse: () => time([ledger, '--anchor', worst], 8),
  });
  const named = (what: string) => ({ what: `${what}: to starting the verifier`, unit: 'ms' });
  return [
    figure(named('anchor, one file'), paired(verify, help), GOAL),
    figure(named('anchor, the longest refused file'), paired(refuse, help), GOAL),
  ];
};

function checkpointOf(line: string): Checkpoint {
  const tree = new LedgerTree();
  tree.append(eventDigest(line), 0);
  return {
    version: 1,
    instance: 'local',
    ...tree.head(),
    at: '2026-11-28T12:00:00.000Z',
    migratedFrom: null,
    keyId: 'none',
    signature: 'A'.repeat(86),
  };
}

/** Milliseconds of a process. @throws Error when it ends with another exit code */
function time(args: readonly string[], expected: number): number {
  const began = performance.now();
  let code = 0;
  try {
    execFileSync(process.execPath, [VERIFIER, ...args], { stdio: 'pipe' });
  } catch (error) {
    code = (error as { status: number }).status;
  }
  const took = performance.now() - began;
  if (code !== expected) throw new Error(`tidemark-verify ${args.join(' ')} ended with ${code}`);
  return took;
}

/** With bags of as many different cells as one may have, in place of proofs of blocks before. */
function worstOf(anchor: Anchor): Anchor {
  const { previousProofs: _, ...proof } = anchor.proof as Extract<AnchorProof, { level: 'masterchain' }>;
  const previousProofs = Array.from({ length: 16 }, (__, bag) =>
    treeOf(1_020, bag << 16)
      .toBoc()
      .toString('base64'),
  );
  return { ...anchor, proof: { ...proof, previousProofs } };
}

/** A tree of so many cells, each with a number of its own. */
function treeOf(count: number, first: number): Cell {
  const rest = count - 1;
  const branches = Array.from({ length: Math.min(4, rest) }, (_, at) =>
    Math.floor((rest + at) / Math.min(4, rest)),
  );
  const cell = beginCell().storeUint(first, 32);
  let next = first + 1;
  for (const size of branches) {
    cell.storeRef(treeOf(size, next));
    next += size;
  }
  return cell.endCell();
}
