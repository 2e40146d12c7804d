import type { CommandMetadata } from '../../../contracts/decider';
import {
  ledgerAnchorEvents,
  type LedgerAnchorEvent,
  type LedgerAnchorFailed,
  type LedgerAnchorSigned,
  type LedgerHeadAnchored,
} from '../../../contracts/events/ledger-anchor';
import { type AnchorProof, reaches } from '../../../contracts/ledger-tree/anchor';
import type { Checkpoint } from '../../../contracts/ledger-tree/checkpoint';
import type { StreamKind } from '../../commands/stream-kind';

type Signed = LedgerAnchorSigned['data'];
type Anchored = LedgerHeadAnchored['data'];

/** The last message of a wallet that anchors. */
export interface AnchorState {
  readonly count: number;
  /** Of the next message: a node that is behind may say an earlier one, with which a message would never be carried out. */
  readonly nextSeqno: number;
  /** While nobody knows whether it is in a block; then null. */
  readonly live: Signed | null;
  /** When it is in one. */
  readonly anchored: Anchored | null;
}

export type AnchorCommand = { readonly metadata: CommandMetadata } & (
  | {
      readonly type: 'sign';
      /** Messages that were signed before this one, when it was decided what to sign. */
      readonly after: number;
      readonly message: Omit<Signed, 'count' | 'at'>;
    }
  /** Of the message of that count. */
  | { readonly type: 'recordAnchored'; readonly count: number; readonly where: AnchoredWhere }
  /** Of what is on the chain: a later one that reaches further. */
  | { readonly type: 'recordProof'; readonly count: number; readonly proof: AnchorProof }
  | {
      readonly type: 'recordFailed';
      readonly count: number;
      readonly reason: LedgerAnchorFailed['data']['reason'];
    }
);

export type AnchoredWhere = Pick<Anchored, 'transaction' | 'proof'>;

/**
 * A wallet has one message at a time that may still be carried out: the next is signed once that is decided, and only for a head
 * that is later than the last one on the chain. A decision on another message than the last one changes nothing.
 */
export const ledgerAnchorKind: StreamKind<AnchorState | null, AnchorCommand, LedgerAnchorEvent> = {
  events: ledgerAnchorEvents,
  lastEventIsState: true,
  decider: {
    initial: () => null,
    evolve: (_, event) => ({
      count: event.data.count,
      nextSeqno: event.data.seqno + (usesSeqno(event) ? 1 : 0),
      live: event.type === 'LedgerAnchorSigned' ? event.data : null,
      anchored: event.type === 'LedgerHeadAnchored' ? event.data : null,
    }),
    decide(state, command) {
      if (command.type === 'sign') return sign(state, command);
      if (!state || state.count !== command.count) return [];
      if (command.type === 'recordProof') return recordProof(state, command);
      return command.type === 'recordAnchored'
        ? recordAnchored(state, command)
        : recordFailed(state, command);
    },
  },
};

/** Whether the head of a checkpoint, or a later one, is on the chain. After a migration there are other heads of the same size. */
export function isAnchored(state: AnchorState | null, { size, root }: Checkpoint): boolean {
  const last = state?.anchored?.checkpoint;
  return last !== undefined && (last.size > size || (last.size === size && last.root === root));
}

function usesSeqno({ type, data }: LedgerAnchorEvent): boolean {
  if (type === 'LedgerAnchorFailed') return data.reason === 'replaced' || data.reason === 'not_sent';
  return type === 'LedgerHeadAnchored';
}

function sign(
  state: AnchorState | null,
  { after, message, metadata }: Extract<AnchorCommand, { type: 'sign' }>,
): readonly LedgerAnchorEvent[] {
  if (state?.live || (state?.count ?? 0) !== after || message.seqno < (state?.nextSeqno ?? 0)) return [];
  if (isAnchored(state, message.checkpoint)) return [];
  return [{ type: 'LedgerAnchorSigned', data: { ...message, count: after + 1, at: metadata.now } }];
}

function recordAnchored(
  { live }: AnchorState,
  { where, metadata }: Extract<AnchorCommand, { type: 'recordAnchored' }>,
): readonly LedgerAnchorEvent[] {
  if (!live) return [];
  const { message: _, ...signed } = live;
  return [{ type: 'LedgerHeadAnchored', data: { ...signed, ...where, at: metadata.now } }];
}

function recordProof(
  { anchored }: AnchorState,
  { proof, metadata }: Extract<AnchorCommand, { type: 'recordProof' }>,
): readonly LedgerAnchorEvent[] {
  if (!anchored || reaches(anchored.proof, proof.level)) return [];
  return [{ type: 'LedgerHeadAnchored', data: { ...anchored, proof, at: metadata.now } }];
}

/** What is on the chain can only be dropped from it, and what never was cannot. */
function recordFailed(
  { live, anchored }: AnchorState,
  { reason, metadata }: Extract<AnchorCommand, { type: 'recordFailed' }>,
): readonly LedgerAnchorEvent[] {
  const of = reason === 'dropped' ? anchored : live;
  if (!of) return [];
  const { network, account, count, seqno } = of;
  return [{ type: 'LedgerAnchorFailed', data: { network, account, count, seqno, reason, at: metadata.now } }];
}
