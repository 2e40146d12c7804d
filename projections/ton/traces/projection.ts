import { decodeTonMessage, TON_TRANSACTIONS } from '../../../contracts/chain/ton';
import { traceMembers } from '../../../contracts/chain/ton-trace';
import { historyIn, removedDocuments } from '../../account-history';
import type { LogProjection } from '../../projection';
import { readOnce } from '../log';
import { transactionId } from '../transactions/documents';
import { TRACES, type TonTraceDocument } from './documents';
import { foldMember, foldRetraction, foldTrace } from './fold';

const read = readOnce(({ value }) => decodeTonMessage(value));

/** What the transactions of each TON account caused, and which of its transactions were caused by its own. */
export const tonTracesProjection: LogProjection = {
  name: 'ton-traces',
  version: 2,
  topics: [TON_TRANSACTIONS.name],
  collections: [TRACES],
  history: { documents: historyIn({ parts: [TRACES] }) },
  touches(input) {
    const message = read(input);
    if (message.type === 'removed') return removedDocuments(input, message, [TRACES]);
    if (message.type !== 'trace' && message.type !== 'retracted') return [];
    const others = message.type === 'trace' ? traceMembers(message.account, message) : (message.traces ?? []);
    const lts = new Set([message.lt, ...others.map(({ lt }) => lt)]);
    return [...lts].map(lt => ({ collection: TRACES.name, id: transactionId(input.key, lt) }));
  },
  fold(document, input, { id }) {
    const known = document as TonTraceDocument | null;
    const message = read(input);
    if (message.type === 'removed') return null;
    if (message.type === 'retracted') return foldRetraction(known, message);
    if (message.type !== 'trace') return known;
    if (id === transactionId(input.key, message.lt)) return foldTrace(known, message, id);
    const members = traceMembers(message.account, message);
    const member = members.find(({ lt }) => transactionId(input.key, lt) === id)!;
    return foldMember(known, message, member, id);
  },
};
