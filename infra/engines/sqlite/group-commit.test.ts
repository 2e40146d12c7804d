import { groupCommit } from './group-commit';

const busy = (): Error => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

/** A group commit that doubles numbers, rejects odd ones, and records its groups. */
const doubling = (capacity = 1000) => {
  const groups: (readonly number[])[] = [];
  const failures: Error[] = [];
  const commits = groupCommit<number, number>({
    commit: items => {
      groups.push(items);
      const failure = failures.shift();
      if (failure) throw failure;
      return items.map(item => (item % 2 === 0 ? item * 2 : new Error(`${item} is odd`)));
    },
    weight: item => item,
    capacity,
  });
  return { groups, failures, commits };
};

describe('a group commit', () => {
  test('groups items of one turn, and returns to each its own outcome', async () => {
    const { groups, commits } = doubling();
    const outcomes = await Promise.allSettled([2, 3, 4].map(commits.add));
    expect(groups).toEqual([[2, 3, 4]]);
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 4 },
      { status: 'rejected', reason: new Error('3 is odd') },
      { status: 'fulfilled', value: 8 },
    ]);
  });

  test('splits groups above the capacity, keeps the order and drops no item', async () => {
    const { groups, commits } = doubling(10);
    await Promise.all([4, 6, 2, 100, 8].map(commits.add));
    expect(groups).toEqual([[4, 6], [2], [100], [8]]);
  });

  test('rejects a whole group when its transaction fails, and continues with the next', async () => {
    const { failures, commits } = doubling();
    failures.push(new Error('disk full'));
    const lost = await Promise.allSettled([2, 4].map(commits.add));
    expect(lost.map(outcome => outcome.status === 'rejected' && String(outcome.reason))).toEqual([
      'Error: disk full',
      'Error: disk full',
    ]);
    expect(await commits.add(6)).toBe(12);
  });

  test('retries while the database is locked; what arrives meanwhile is written afterwards', async () => {
    const { groups, failures, commits } = doubling();
    failures.push(busy(), busy());
    const first = commits.add(2);
    while (groups.length === 0) await new Promise(resolve => setImmediate(resolve));
    expect(await Promise.all([first, commits.add(4)])).toEqual([4, 8]);
    expect(groups).toEqual([[2], [2], [2], [4]]);
  });

  test('waits for an asynchronous commit; what arrives meanwhile is written afterwards', async () => {
    const groups: (readonly number[])[] = [];
    const commits = groupCommit<number, number>({
      commit: async items => {
        groups.push(items);
        await new Promise(resolve => setTimeout(resolve, 1));
        return [...items];
      },
      weight: () => 1,
      capacity: 10,
    });
    const first = commits.add(1);
    while (groups.length === 0) await new Promise(resolve => setImmediate(resolve));
    expect(await Promise.all([first, commits.add(2), commits.add(3)])).toEqual([1, 2, 3]);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  test('is drained when all items have settled', async () => {
    const { commits } = doubling(2);
    let settled = 0;
    const count = (): void => void (settled += 1);
    for (const item of [2, 2, 3]) void commits.add(item).then(count, count);
    await commits.drained();
    expect(settled).toBe(3);
    await commits.drained();
  });
});
