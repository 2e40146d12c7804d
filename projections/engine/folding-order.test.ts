import { setImmediate as turnOfEvents } from 'node:timers/promises';
import { createFoldingOrder } from './folding-order';
import type { RunnerState } from './runner-state';

const NAMES = ['fees', 'tokens', 'banners'];

let stopping: AbortController;
beforeEach(() => (stopping = new AbortController()));
afterEach(() => stopping.abort());

function open(states: Record<string, RunnerState | undefined>) {
  const asked: string[] = [];
  const askedFor = new Set<string>();
  const order = createFoldingOrder(NAMES, name => states[name], {
    ask: name => void asked.push(name),
    isAskedFor: name => askedFor.has(name),
  });
  /** Whether the next batch of the projection may be folded now. */
  const mayFold = async (name: string, signal = stopping.signal): Promise<boolean> => {
    let isAllowed = false;
    void order.turn(name, signal).then(() => (isAllowed = true));
    await turnOfEvents();
    return isAllowed;
  };
  return { order, mayFold, asked, askedFor };
}

const BEHIND = { fees: 'catching-up', tokens: 'building', banners: 'catching-up' } as const;

it('lets all fold while no read waits', async () => {
  const { mayFold } = open(BEHIND);
  for (const name of NAMES) expect(await mayFold(name)).toBe(true);
});

it('lets what a read waits for fold before the others, until it has caught up', async () => {
  const { order, mayFold } = open(BEHIND);
  order.want('tokens');
  expect(await mayFold('tokens')).toBe(true);
  expect(await mayFold('fees')).toBe(false);
  const resumed = order.turn('banners', stopping.signal);
  order.satisfy('tokens');
  await resumed;
  expect(await mayFold('fees')).toBe(true);
});

it.each(['stopped', 'retrying', 'standby', undefined] as const)(
  'lets nothing pause for a projection that is not folded here (%s), and asks the other programs',
  async state => {
    const { order, mayFold, asked } = open({ ...BEHIND, fees: state });
    order.want('fees');
    expect(await mayFold('banners')).toBe(true);
    expect(asked).toEqual(['fees']);
  },
);

it('folds first what another program asks for', async () => {
  const { mayFold, askedFor } = open(BEHIND);
  askedFor.add('fees');
  expect(await mayFold('fees')).toBe(true);
  expect(await mayFold('banners')).toBe(false);
});

it('ends a pause when the program stops', async () => {
  const { order, mayFold } = open(BEHIND);
  order.want('fees');
  expect(await mayFold('banners', AbortSignal.abort())).toBe(true);
});
