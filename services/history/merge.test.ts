import fc from 'fast-check';
import type { UnifiedCursor } from '../../contracts/http/history/history';
import { JsonText } from '../../contracts/json/json-text';
import { cursorAfter, mergeSources, type TimelineItem, type TimelineSource } from './merge';
import { runs } from '../../test/random';

const served = () => new JsonText<never>('');
const ton = (lt: number, time: number): TimelineItem => ({
  kind: 'ton',
  lt: String(lt),
  hash: `h${lt}`,
  time,
  served,
});
const solana = (signature: string, time: number, mint?: string): TimelineItem => ({
  kind: 'solana',
  signature,
  mints: mint === undefined ? [] : [mint],
  time,
  served,
});
const name = (item: TimelineItem): string => (item.kind === 'ton' ? item.lt : item.signature);

/** A history, and how much was read of it. */
function source(items: readonly TimelineItem[], { hasMore = false } = {}) {
  let taken = 0;
  const read: TimelineSource = async limit => {
    const part = items.slice(taken, taken + limit);
    taken += part.length;
    return { items: part, more: taken < items.length || hasMore };
  };
  return Object.assign(read, { taken: () => taken });
}

/** A page, and the cursor after it. */
async function merge(sources: readonly TimelineSource[], limit: number, from: UnifiedCursor = {}) {
  const page = await mergeSources(sources, limit);
  return { ...page, cursor: cursorAfter(page.items, from, 'USDC') };
}

describe('merging histories', () => {
  it('takes the newest of both, and continues after the last taken of each kind', async () => {
    const page = await merge(
      [
        source([ton(9, 900), ton(8, 500)]),
        source([solana('a', 950), solana('u', 600, 'USDC'), solana('b', 100)], { hasMore: true }),
      ],
      4,
      { solanaToken: { mint: 'USDC' } },
    );
    expect(page.items.map(name)).toEqual(['a', '9', 'u', '8']);
    expect(page.hasMore).toBe(true);
    expect(page.cursor).toEqual({
      ton: { lt: '8', hash: 'h8' },
      solana: { before: 'a' },
      solanaToken: { mint: 'USDC', before: 'u' },
    });
  });

  it('does not change the cursor of a source from which nothing was taken', async () => {
    const from: UnifiedCursor = { ton: { lt: '5', hash: 'h5' }, solana: { before: 'z' } };
    const page = await merge([source([]), source([solana('y', 1)])], 4, from);
    expect(page).toMatchObject({ hasMore: false, cursor: { ton: from.ton, solana: { before: 'y' } } });
  });

  it('keeps the order of a chain whose clock stops or goes back', async () => {
    const page = await merge([source([ton(3, 10), ton(2, 11), ton(1, 10)]), source([solana('s', 10)])], 9);
    expect(page.items.map(name).filter(text => text !== 's')).toEqual(['3', '2', '1']);
  });

  it('reads on where one chain has more than its part of the page, and no further than a page needs', async () => {
    const all = Array.from({ length: 100 }, (_, index) => ton(1_000 - index, 1_000 - index));
    const chain = source(all);
    const other = source([solana('s', 990)]);
    const page = await merge([chain, other], 32);
    expect(page.items.filter(({ kind }) => kind === 'ton').map(name)).toEqual(all.slice(0, 31).map(name));
    expect(chain.taken()).toBeLessThanOrEqual(33);
  });

  it('pages through everything once, but for the inclusive first item on TON', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(times, times, fc.integer({ min: 2, max: 7 }), async (ofTon, ofSolana, limit) => {
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
          const page = await merge([source(chain.slice(at)), source(signatures.slice(after))], limit, cursor);
          seen.push(...page.items.map(name));
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
