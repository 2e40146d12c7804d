import type { EventProjection } from '../../projections/projection';

export interface LedgerEvent {
  readonly type: 'Paid' | 'Closed' | 'Poison';
  readonly data: { readonly account: string; readonly amount: number };
}

/**
 * A projection with the hard cases for the engine: a document per account that is also deleted, and whose fold depends on
 * that, and one document that all events touch.
 */
export const ledger: EventProjection = {
  name: 'ledger',
  version: 1,
  categories: ['account'],
  collections: [
    { name: 'accounts', indexes: [], counts: [[]] },
    { name: 'days', indexes: [] },
  ],
  touches: event => [
    { collection: 'days', id: 'all' },
    { collection: 'accounts', id: String(event.data['account']) },
  ],
  fold(document, event, { collection, id }) {
    const { type, data } = event as unknown as LedgerEvent;
    if (collection === 'days') return { _id: id, events: Number(document?.['events'] ?? 0) + 1 };
    if (type === 'Poison') throw new Error('cannot be folded');
    if (type === 'Closed') return document && Number(document['total']) % 2 === 0 ? null : document;
    return { _id: id, total: Number(document?.['total'] ?? 0) + data.amount };
  },
};
