import type { EventProjection } from '../../projections/projection';
import { ledger } from '../projections/ledger';
import { history } from './builders';
import { given } from './projection';

const paid = (account: string, amount: number) =>
  [`account-${account}`, { type: 'Paid', data: { account, amount } }] as const;
const closed = (account: string) =>
  [`account-${account}`, { type: 'Closed', data: { account, amount: 0 } }] as const;

const folding = (fold: EventProjection['fold']): EventProjection => ({ ...ledger, fold });

describe('the specification of a projection', () => {
  it('passes for a fold that counts, although folding twice would count double', () =>
    given(ledger, history(paid('a', 3), paid('b', 1), paid('a', 1), closed('a'), paid('c', 2))).then({
      accounts: [
        { _id: 'b', total: 1 },
        { _id: 'c', total: 2 },
      ],
      days: [{ _id: 'all', events: 5 }],
    }));

  it('fails for wrong and for unexpected documents', async () => {
    const spec = given(ledger, history(paid('a', 3)));
    await expect(spec.then({ accounts: [{ _id: 'a', total: 4 }] })).rejects.toThrow();
    await expect(spec.then({ accounts: [{ _id: 'a', total: 3 }] })).rejects.toThrow();
  });

  it('fails for a fold that changes its document in place', async () => {
    const mutating = folding((document, event, key) => {
      if (!document) return ledger.fold(null, event, key);
      (document as Record<string, unknown>)['total'] = 5;
      return document;
    });
    await expect(given(mutating, history(paid('a', 3), paid('a', 2))).then({})).rejects.toThrow(
      /read only|not extensible/,
    );
  });

  it('fails for a fold with state', async () => {
    let calls = 0;
    const counting = folding((_, __, { id }) => ({ _id: id, calls: calls++ }));
    const expected = { accounts: [{ _id: 'a', calls: 1 }], days: [{ _id: 'all', calls: 0 }] };
    await expect(given(counting, history(paid('a', 3))).then(expected)).rejects.toThrow();
  });

  it('fails for documents that are not plain JSON', async () => {
    const dated = folding((_, __, { id }) => ({ _id: id, at: new Date(0) as unknown as string }));
    await expect(given(dated, history(paid('a', 3))).then({})).rejects.toThrow(/not plain JSON/);
  });
});
