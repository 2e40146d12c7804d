import fc from 'fast-check';
import type { HistoryItem, UnifiedCursor } from '../../contracts/http/history';
import { mergeSources, type TimelineSource } from './merge';
import { runs } from '../../test/random';

const ton = (lt: number, time: number): HistoryItem =>
  ({ type: 'ton', data: { lt: String(lt), hash: `h${lt}`, time } }) as HistoryItem;
const solana = (signature: string, timestamp: number, mint?: string): HistoryItem =>
  ({
    type: 'solana',
    data: { signature, timestamp, tokenTransfers: mint === undefined ? [] : [{ mint }] },
  }) as unknown as HistoryItem;
const source = (kind: TimelineSource['kind'], items: HistoryItem[], more = false): TimelineSource => ({
  kind,
  items,
  more,
});
const name = (item: HistoryItem): string => (item.type === 'ton' ? item.data.lt : item.data.signature);

describe('merging histories', () => {
  it('takes the newest of both, and continues after the last taken of each kind', () => {
    const page = mergeSources(
      [
        source('ton', [ton(9, 900), ton(8, 500)]),
        source('solana', [solana('a', 950), solana('u', 600, 'USDC'), solana('b', 100)], true),
      ],
      4,
      { solanaToken: { mint: 'USDC' } },
      'USDC',
    );
    expect(page.data.map(name)).toEqual(['a', '9', 'u', '8']);
    expect(page.hasMore).toBe(true);
    expect(page.cursor).toEqual({
      ton: { lt: '8', hash: 'h8' },
      solana: { before: 'a' },
      solanaToken: { mint: 'USDC', before: 'u' },
    });
  });

  it('does not change the cursor of a source from which nothing was taken', () => {
    const from: UnifiedCursor = { ton: { lt: '5', hash: 'h5' }, solana: { before: 'z' } };
    const page = mergeSources([source('ton', []), source('solana', [solana('y', 1)])], 4, from, 'USDC');
    expect(page).toMatchObject({ hasMore: false, cursor: { ton: from.ton, solana: { before: 'y' } } });
  });

  it('keeps the order of a chain whose clock stops or goes back', () => {
    const page = mergeSources(
      [source('ton', [ton(3, 10), ton(2, 11), ton(1, 10)]), source('solana', [solana('s', 10)])],
      9,
      {},
      'USDC',
    );
    expect(page.data.map(name).filter(text => text !== 's')).toEqual(['3', '2', '1']);
  });

  it('pages through everything once, but for the inclusive first item on TON', () => {
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
          const after = cursor.solana?.before
            ? signatures.findIndex(item => name(item) === cursor.solana!.before) + 1
            : 0;
          const page = mergeSources(
            [
              source('ton', chain.slice(at, at + limit), chain.length > at + limit),
              source('solana', signatures.slice(after, after + limit), signatures.length > after + limit),
            ],
            limit,
            cursor,
            'USDC',
          );
          seen.push(...page.data.map(name));
          cursor = page.cursor;
          if (!page.hasMore) break;
        }
        expect(new Set(seen)).toEqual(new Set([...chain, ...signatures].map(name)));
        const solanaSeen = seen.filter(text => text.startsWith('s'));
        expect(solanaSeen).toEqual(signatures.map(name));
      }),
      runs(100),
    );
  });
});
