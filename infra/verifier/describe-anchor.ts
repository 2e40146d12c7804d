import type { Anchor, AnchorProof } from '../../contracts/ledger-tree/anchor';
import type { Checkpoint } from '../../contracts/ledger-tree/checkpoint';
import { networkName } from '../../contracts/network/network';
import { counted } from '../../contracts/text/counted';

/** That the head of a checkpoint stood in a message that an account on TON sent, and up to what that is proven. */
export interface VerifiedAnchor {
  readonly level: AnchorProof['level'];
  readonly network: Anchor['network'];
  /** Raw, the one that sent the message. */
  readonly account: string;
  readonly lt: string;
  /** Of the transaction. */
  readonly hash: string;
  /** Of the transaction, as it says itself: RFC 3339 UTC. */
  readonly at: string;
  /** The last that is proven: of the masterchain or of a shard; null for the level `transaction`. */
  readonly block: { readonly seqno: number; readonly rootHash: string } | null;
  readonly checkpoint: Checkpoint;
}

const UNPROVEN: Readonly<Record<AnchorProof['level'], string>> = {
  transaction: 'that the network has this transaction: look for its hash in an explorer',
  block: 'that the network has this block: look for its root hash in an explorer',
  masterchain:
    'that validators have signed this block of the masterchain: look for its root hash in an explorer',
};

export function describeAnchor({
  level,
  network,
  account,
  hash,
  at,
  block,
  checkpoint,
}: VerifiedAnchor): string[] {
  const name = networkName({ chain: 'ton', network });
  const upTo =
    block === null
      ? 'to the transaction itself'
      : `to the block ${level === 'masterchain' ? 'of the masterchain ' : ''}${block.seqno}, with the root hash ${block.rootHash}`;
  return [
    `anchored: the head of ${counted(checkpoint.size, 'event')} was sent by ${account} of ${name} at ${at}, in the transaction ${hash}`,
    `proven ${upTo}; not proven: ${UNPROVEN[level]}`,
  ];
}
