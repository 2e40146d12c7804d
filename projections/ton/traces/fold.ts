import type { TonRetractedMessage, TonTraceMessage } from '../../../contracts/chain/ton';
import { countResolved, isLaterState } from '../../../contracts/chain/ton-trace';
import type { TransactionRef } from '../../../contracts/chain/ton-transaction';
import type { TonTraceDocument } from './documents';

type Trace = NonNullable<TonTraceDocument['trace']>;

/** A total order of the traces of one transaction: by how complete they are, then by any difference. */
function isMoreComplete(a: Trace, b: Trace): boolean {
  if (a.state !== b.state) return isLaterState(a.state, b.state);
  if (a.decoder !== b.decoder) return a.decoder > b.decoder;
  const [ofA, ofB] = [countResolved(a), countResolved(b)];
  if (ofA !== ofB) return ofA > ofB;
  const [walletsA, walletsB] = [countConfirmed(a), countConfirmed(b)];
  if (walletsA !== walletsB) return walletsA > walletsB;
  return JSON.stringify(a) > JSON.stringify(b);
}

/** What contracts have confirmed. */
const countConfirmed = ({ jettonWallets, depositFees = {} }: Trace): number =>
  [...Object.values(jettonWallets), ...Object.values(depositFees)].filter(each => each !== null).length;

const nothing = (_id: string): TonTraceDocument => ({ _id, trace: null, memberOf: null });

/** Tail and backfill may publish a trace more than once: the most complete one is stored. */
export function foldTrace(
  known: TonTraceDocument | null,
  { hash, state, decoder, messages, jettonWallets = {}, depositFees }: TonTraceMessage,
  id: string,
): TonTraceDocument {
  const document = known ?? nothing(id);
  const trace: Trace = {
    hash,
    state,
    decoder,
    messages: messages as Trace['messages'],
    jettonWallets: jettonWallets as Trace['jettonWallets'],
    ...(depositFees && { depositFees: depositFees as NonNullable<Trace['depositFees']> }),
  };
  return document.trace && !isMoreComplete(trace, document.trace) ? document : { ...document, trace };
}

/** A transaction that several traces reach belongs to the one that began first, of which the others are parts. */
export function foldMember(
  known: TonTraceDocument | null,
  { lt }: TonTraceMessage,
  { hash }: TransactionRef,
  id: string,
): TonTraceDocument {
  const document = known ?? nothing(id);
  const { memberOf } = document;
  const isFirst = memberOf === null || BigInt(lt) < BigInt(memberOf.lt);
  return isFirst ? { ...document, memberOf: { lt, hash } } : document;
}

/** A transaction that is not on the chain has no place, nor has a trace with it; another one of the same logical time keeps its own. */
export function foldRetraction(
  known: TonTraceDocument | null,
  { hash, traces = [] }: TonRetractedMessage,
): TonTraceDocument | null {
  if (!known) return null;
  const isVoid = [hash, ...traces.map(of => of.hash)].includes(known.trace?.hash ?? '');
  const trace = isVoid ? null : known.trace;
  const memberOf = known.memberOf?.hash === hash ? null : known.memberOf;
  return trace || memberOf ? { ...known, trace, memberOf } : null;
}
