import { DamagedData } from '../../../contracts/engine/damaged-data';
import type { Documents } from '../../../contracts/ports/documents';
import { scanPages } from './pagination';

it.each([1, 2, 3, 7])(
  'a scan ends when a damaged index leads back to where it was %i pages ago',
  async length => {
    const next = (cursor: number): number => (cursor === 10 + length - 1 ? 10 : cursor + 1);
    const find = (async (_collection, { cursor = '0' }) => ({
      documents: [{ _id: cursor }],
      next: String(next(Number(cursor))),
    })) as Documents['find'];
    const read: string[] = [];
    const scan = async (): Promise<void> => {
      for await (const page of scanPages(find, 'people', { limit: 1 }))
        read.push(...page.map(({ _id }) => _id));
    };
    await expect(scan()).rejects.toThrow(DamagedData);
    expect(new Set(read).size).toBe(10 + length);
  },
);
