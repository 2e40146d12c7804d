import type { Position } from '../../contracts/position';
import { ladderOf } from '../../contracts/seal/ladder';
import { bodyDigest, headText, proofStatement, type Claims } from '../../contracts/seal/proof';
import { NotSealed, type Prover } from '../prover';
import type { Checkpoints } from './checkpoints';
import type { LedgerKeys } from './keys';
import type { SealReading } from './reading';

export interface ProverDeps {
  readonly reading: SealReading;
  readonly checkpoints: Pick<Checkpoints, 'upTo'>;
  readonly keys: Pick<LedgerKeys, 'signer'>;
  readonly instanceId: string;
  readonly timeZone: string;
  /** Names and versions of the read models of the ledger. */
  readonly projections: Readonly<Record<string, number>>;
  /** Milliseconds to wait for the sealer. */
  readonly patience: number;
}

export function createProver(deps: ProverDeps): Prover {
  const { reading, checkpoints, keys, instanceId, timeZone, projections, patience } = deps;
  const latest = latestHead(reading);
  return {
    head: latest,

    async prove({ query, body, position }) {
      await sealed(reading, position, patience);
      const history = await reading.historyAt(position);
      const { keyId, key, sign } = keys.signer();
      const claims: Claims = {
        version: 1,
        instance: instanceId,
        timeZone,
        ...history,
        query,
        bodyDigest: bodyDigest(body),
        projections: { ...projections },
        keyId,
      };
      return {
        ...claims,
        key,
        signature: sign(proofStatement(claims)),
        checkpoint: await checkpoints.upTo(history.position),
        ladder: await ladderOf(history.size, reading.subtree),
      };
    },
  };
}

/** Milliseconds after which the head is looked up again. */
const HEAD_FOR = 1_000;

/** Tells what is known, and sees to it that more is known the next time. */
function latestHead(reading: Pick<SealReading, 'sealedTo' | 'historyAt'>): () => string | null {
  let known: string | null = null;
  let lookedAt = -Infinity;
  const look = async (): Promise<void> => {
    const { size, position, head } = await reading.historyAt(await reading.sealedTo());
    if (size > 0) known = headText(position, head);
  };
  return () => {
    if (performance.now() - lookedAt >= HEAD_FOR) {
      lookedAt = performance.now();
      // Who reads meets what is wrong with the documents.
      look().catch(() => undefined);
    }
    return known;
  };
}

/** Milliseconds between two looks: MongoDB announces no change to other processes at once. */
const LOOK_EVERY = 50;

/** Resolves when all of the ledger up to the position is sealed. @throws NotSealed */
export async function sealed(
  reading: Pick<SealReading, 'sealedTo' | 'changed'>,
  position: Position,
  patience: number,
): Promise<void> {
  const deadline = Date.now() + patience;
  while ((await reading.sealedTo()) < position) {
    const left = deadline - Date.now();
    if (left <= 0) throw new NotSealed(position);
    await reading.changed(Math.min(left, LOOK_EVERY));
  }
}
