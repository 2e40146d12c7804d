import { stakedUsdeMember } from '../../contracts/http/usde/usde';
import { NO_LIMITS } from '../../contracts/ports/rate-limits';
import type { AnyCall } from '../http/call';
import { usdeRoutes, type UsdeDeps } from './routes';

const OWNER = `0:${'1'.repeat(64)}`;

/** Asks for an account of which nothing is stored. @param seqno the block of its newest transaction that is known */
async function blockAskedFor(seqno: number | null | undefined): Promise<unknown> {
  const read = jest.fn(async () => ({ height: 9, at: '2026-01-01T00:00:00.000Z', data: null }));
  const deps = {
    members: { find: async () => null },
    unread: { read },
    transactions: {
      page: async () => ({ transactions: seqno === undefined ? [] : [{ seqno }] }),
    },
    limits: async () => NO_LIMITS,
    clock: () => new Date(),
  } as unknown as UsdeDeps;
  const { handle } = usdeRoutes(deps).find(({ endpoint }) => endpoint === stakedUsdeMember)!;
  const call = { body: { address: OWNER, isTestnet: true }, ip: '192.0.2.1', appendHeader: () => undefined };
  expect(await handle(call as unknown as AnyCall)).toBeNull();
  expect(read).toHaveBeenCalledTimes(1);
  return (read.mock.calls as unknown as [unknown, { minHeight?: number }][])[0]![1].minHeight;
}

test('who has moved something is read as of that block at least: it may have staked for the first time', async () => {
  expect(await blockAskedFor(7)).toBe(7);
});

test.each([undefined, null])('nothing is asked for where no block is known: %s', async seqno => {
  expect(await blockAskedFor(seqno)).toBe(0);
});
