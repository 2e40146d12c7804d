import type { Problem } from '../../../contracts/problem/problem';
import { createOpenExports } from './open-exports';

/** The parts of an export: pages without end, and whether they have ended all the same. */
function endlessPages() {
  const state = { ended: false };
  async function* pages() {
    try {
      for (let n = 0; ; n += 1) yield n;
    } finally {
      state.ended = true;
    }
  }
  return { pages: pages(), state };
}

/** An export of which one page was read. */
async function begun(exports: ReturnType<typeof createOpenExports>, caller: string) {
  const client = new AbortController();
  const open = exports.begin(caller, client.signal);
  const { pages, state } = endlessPages();
  const parts = open.within(pages)[Symbol.asyncIterator]();
  await parts.next();
  return { parts, state, client };
}

const refusal = (exports: ReturnType<typeof createOpenExports>, caller: string) => {
  try {
    exports.begin(caller, new AbortController().signal);
    return null;
  } catch (error) {
    return (error as Problem).code;
  }
};

it('a caller whose clients read slowly has a share of the exports, and others export meanwhile', async () => {
  const exports = createOpenExports(8);
  const slow = [await begun(exports, 'greedy'), await begun(exports, 'greedy')];
  expect(refusal(exports, 'greedy')).toBe('not_ready');
  const honest = await begun(exports, 'honest');
  expect(await honest.parts.next()).toEqual({ done: false, value: 1 });
  await slow[0]!.parts.return!();
  expect(slow[0]!.state.ended).toBe(true);
  expect(refusal(exports, 'greedy')).toBeNull();
});

it('once all are taken the newest of a caller with most ends for one without any, with all that it has in memory', async () => {
  const exports = createOpenExports(8);
  const slow = [];
  for (let n = 0; n < 8; n += 1) slow.push(await begun(exports, `greedy ${n >> 1}`));
  const honest = await begun(exports, 'honest');
  expect(await honest.parts.next()).toEqual({ done: false, value: 1 });
  const ended = slow.filter(({ state }) => state.ended);
  expect(ended).toHaveLength(1);
  await expect(ended[0]!.parts.next()).rejects.toMatchObject({ code: 'not_ready' });
});

it('one whose client has gone, or does not read it in time, gives its place up', async () => {
  const exports = createOpenExports(4);
  const left = await begun(exports, 'a');
  expect(refusal(exports, 'a')).toBe('not_ready');
  left.client.abort();
  expect(refusal(exports, 'a')).toBeNull();

  jest.useFakeTimers();
  try {
    const slow = await begun(exports, 'b');
    expect(refusal(exports, 'b')).toBe('not_ready');
    jest.advanceTimersByTime(300_000);
    await expect(slow.parts.next()).rejects.toMatchObject({ code: 'not_ready' });
    expect(refusal(exports, 'b')).toBeNull();
  } finally {
    jest.useRealTimers();
  }
});
