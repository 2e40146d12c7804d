import type { CommandMetadata } from '../../../contracts/decider';
import {
  ledgerAnchorEvents,
  type LedgerAnchorEvent,
  type LedgerAnchorFailed,
  type LedgerAnchorProven,
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
  /** Of a head that is on the chain, which need not be the last one: a proof that reaches further. */
  | {
      readonly type: 'recordProof';
      readonly of: Pick<Anchored, 'network' | 'account' | 'count' | 'seqno'>;
      readonly proof: AnchorProof;
    }
  | {
      readonly type: 'recordFailed';
      readonly count: number;
      readonly reason: LedgerAnchorFailed['data']['reason'];
    }
);

export type AnchoredWhere = Pick<Anchored, 'transaction' | 'proof'>;

/**
 * A wallet has one message at a time that may still be carried out: the next is signed once that is decided, and only for a head
 * that is later than the last one on the chain. A decision on another message than the last one changes nothing; only proofs are of
 * any that is on the chain.
 */
export const ledgerAnchorKind: StreamKind<AnchorState | null, AnchorCommand, LedgerAnchorEvent> = {
  events: ledgerAnchorEvents,
  carriedForward: ['LedgerAnchorSigned', 'LedgerHeadAnchored', 'LedgerAnchorFailed'],
  decider: {
    initial: () => null,
    evolve: (state, event) =>
      event.type === 'LedgerAnchorProven'
        ? withProof(state, event.data)
        : {
            count: event.data.count,
            nextSeqno: nextSeqnoAfter(event),
            live: event.type === 'LedgerAnchorSigned' ? event.data : null,
            anchored: event.type === 'LedgerHeadAnchored' ? event.data : null,
          },
    decide(state, command) {
      if (command.type === 'sign') return sign(state, command);
      if (command.type === 'recordProof') return recordProof(state, command);
      if (!state || state.count !== command.count) return [];
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

function nextSeqnoAfter({ type, data }: Exclude<LedgerAnchorEvent, LedgerAnchorProven>): number {
  const { seqno } = data;
  if (type === 'LedgerAnchorSigned') return seqno;
  if (type === 'LedgerHeadAnchored') return seqno + 1;
  // A fork may have taken back earlier ones, too.
  if (data.reason === 'dropped') return 0;
  return data.reason === 'expired' ? seqno : seqno + 1;
}

function withProof(
  state: AnchorState | null,
  { count, proof }: LedgerAnchorProven['data'],
): AnchorState | null {
  if (state?.anchored?.count !== count) return state;
  return { ...state, anchored: { ...state.anchored, proof } };
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

/** What an earlier message had is not in the state: the caller has read that it is on the chain, and how far it is proven. */
function recordProof(
  state: AnchorState | null,
  {
    of: { network, account, count, seqno },
    proof,
    metadata,
  }: Extract<AnchorCommand, { type: 'recordProof' }>,
): readonly LedgerAnchorEvent[] {
  if (!state || count > state.count) return [];
  const isLast = count === state.count;
  if (isLast && (!state.anchored || reaches(state.anchored.proof, proof.level))) return [];
  return [{ type: 'LedgerAnchorProven', data: { network, account, count, seqno, proof, at: metadata.now } }];
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
