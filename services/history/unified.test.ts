import fc from 'fast-check';
import type { HistoryItem, UnifiedCursor } from '../../contracts/http/history';
import { unify, type Strand } from './unified';

const ton = (lt: number, time: number): HistoryItem =>
  ({ type: 'ton', data: { lt: String(lt), hash: `h${lt}`, time } }) as HistoryItem;
const solana = (signature: string, timestamp: number): HistoryItem =>
  ({ type: 'solana', data: { signature, timestamp } }) as HistoryItem;
const strand = (kind: Strand['kind'], items: HistoryItem[], more = false): Strand => ({ kind, items, more });
const name = (item: HistoryItem): string => (item.type === 'ton' ? item.data.lt : item.data.signature);

describe('a unified history', () => {
  it('takes the newest of all, and goes on from the last taken of each', () => {
    const page = unify(
      [
        strand('ton', [ton(9, 900), ton(8, 500)]),
        strand('solana', [solana('a', 950), solana('b', 100)]),
        strand('solanaToken', [solana('u', 600)], true),
      ],
      4,
      { solanaToken: { mint: 'USDC' } },
    );
    expect(page.data.map(name)).toEqual(['a', '9', 'u', '8']);
    expect(page.hasMore).toBe(true);
    expect(page.cursor).toEqual({
      ton: { lt: '8', hash: 'h8' },
      solana: { before: 'a' },
      solanaToken: { mint: 'USDC', before: 'u' },
    });
  });

  it('leaves the place of a strand that gave nothing', () => {
    const from: UnifiedCursor = { ton: { lt: '5', hash: 'h5' }, solana: { before: 'z' } };
    const page = unify([strand('ton', []), strand('solana', [solana('y', 1)])], 4, from);
    expect(page).toMatchObject({ hasMore: false, cursor: { ton: from.ton, solana: { before: 'y' } } });
  });

  it('keeps the order of a chain where its clock stands still or goes back', () => {
    const page = unify(
      [strand('ton', [ton(3, 10), ton(2, 11), ton(1, 10)]), strand('solana', [solana('s', 10)])],
      9,
      {},
    );
    expect(page.data.map(name).filter(text => text !== 's')).toEqual(['3', '2', '1']);
  });

  it('pages through everything once, beside the inclusive repetition on TON', () => {
    const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 20 });
    fc.assert(
      fc.property(times, times, fc.integer({ min: 2, max: 7 }), (ofTon, ofSolana, limit) => {
        const descending = (list: number[]): number[] => [...list].sort((a, b) => b - a);
        const chain = descending(ofTon).map((time, index) => ton(1_000 - index, time));
        const signatures = descending(ofSolana).map((time, index) => solana(`s${index}`, time));
        const seen: string[] = [];
        let cursor: UnifiedCursor = {};
        for (let pages = 0; pages < 60; pages++) {
          const at = cursor.ton ? chain.findIndex(item => name(item) === cursor.ton!.lt) : 0;
          const behind = cursor.solana?.before
            ? signatures.findIndex(item => name(item) === cursor.solana!.before) + 1
            : 0;
          const page = unify(
            [
              strand('ton', chain.slice(at, at + limit), chain.length > at + limit),
              strand('solana', signatures.slice(behind, behind + limit), signatures.length > behind + limit),
            ],
            limit,
            cursor,
          );
          seen.push(...page.data.map(name));
          cursor = page.cursor;
          if (!page.hasMore) break;
        }
        expect(new Set(seen)).toEqual(new Set([...chain, ...signatures].map(name)));
        const solanaSeen = seen.filter(text => text.startsWith('s'));
        expect(solanaSeen).toEqual(signatures.map(name));
      }),
    );
  });
});
