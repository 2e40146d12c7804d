import type { Json, JsonObject } from '../../contracts/json/json';
import type { Position } from '../../contracts/position';
import { readSubtreeRoots } from '../../contracts/ledger-tree/subtree-roots';
import {
  bodyDigest,
  formatLedgerHead,
  proofStatement,
  type Claims,
  type ReportProof,
} from '../../contracts/ledger-tree/report-proof';
import type { Checkpoints } from './checkpoints';
import type { LedgerKeys } from './keys';
import type { LedgerTreeReader } from './reader';

/** An answer, and the position that it was computed at. */
export interface Provable {
  /** The validated request. */
  readonly query: JsonObject;
  readonly body: Json;
  readonly position: Position;
  /** Of the personal texts in the answer, by their commitments. */
  readonly openings?: Readonly<Record<string, string>>;
}

/** Proves answers with the ledger tree. */
export interface Prover {
  /** Waits for the ledger tree to include the position. @throws LedgerTreeBehind when that takes too long */
  prove(provable: Provable): Promise<ReportProof>;
  /** The last known ledger head, as in `X-Ledger-Head`; null when unknown. Does not wait. */
  head(): string | null;
}

/** The ledger tree does not include a position yet. */
export class LedgerTreeBehind extends Error {
  override readonly name = 'LedgerTreeBehind';
  constructor(readonly position: Position) {
    super(`the ledger tree does not include position ${position} yet`);
  }
}

export interface ProverDeps {
  readonly reader: LedgerTreeReader;
  readonly checkpoints: Pick<Checkpoints, 'upTo'>;
  readonly keys: Pick<LedgerKeys, 'signer'>;
  readonly instanceId: string;
  readonly timeZone: string;
  /** Names and versions of the projections of the ledger. */
  readonly projections: Readonly<Record<string, number>>;
  /** Throws when the store has lost events that the tree has. */
  readonly assertComplete?: () => void;
  /** Milliseconds to wait for the tree to include the position. */
  readonly timeoutMs: number;
}

export function createProver(deps: ProverDeps): Prover {
  const { reader, checkpoints, keys, instanceId, timeZone, projections, timeoutMs } = deps;
  const latest = latestHead(reader);
  return {
    head: latest,

    async prove({ query, body, position, openings = {} }) {
      deps.assertComplete?.();
      await waitUntilIncluded(reader, position, timeoutMs);
      const head = await reader.headAt(position);
      const { keyId, key, sign } = keys.signer();
      const claims: Claims = {
        version: 1,
        instance: instanceId,
        timeZone,
        ...head,
        query,
        bodyDigest: bodyDigest(body),
        projections: { ...projections },
        keyId,
      };
      return {
        ...claims,
        key,
        signature: sign(proofStatement(claims)),
        checkpoint: await checkpoints.upTo(head.position),
        subtreeRoots: await readSubtreeRoots(head.size, reader.subtreeRoot),
        openings: { ...openings },
      };
    },
  };
}

const HEAD_REFRESH_MS = 1_000;

/** Returns the last known head, and refreshes it in the background. */
function latestHead(reader: Pick<LedgerTreeReader, 'includedUpTo' | 'headAt'>): () => string | null {
  let known: string | null = null;
  let refreshedAt = -Infinity;
  const refresh = async (): Promise<void> => {
    const { size, position, head } = await reader.headAt(await reader.includedUpTo());
    if (size > 0) known = formatLedgerHead(position, head);
  };
  return () => {
    if (performance.now() - refreshedAt >= HEAD_REFRESH_MS) {
      refreshedAt = performance.now();
      // An error is reported by the next read of the documents.
      refresh().catch(() => undefined);
    }
    return known;
  };
}

/** MongoDB notifies other processes of changes with a delay. */
const POLL_MS = 50;

/** Resolves when the tree includes all events of the ledger up to the position. @throws LedgerTreeBehind */
export async function waitUntilIncluded(
  reader: Pick<LedgerTreeReader, 'includedUpTo' | 'waitForChange'>,
  position: Position,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while ((await reader.includedUpTo()) < position) {
    const left = deadline - Date.now();
    if (left <= 0) throw new LedgerTreeBehind(position);
    await reader.waitForChange(Math.min(left, POLL_MS));
  }
}
