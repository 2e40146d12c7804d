import type { SolanaSignatureStatus } from '../../contracts/chain/solana-observations';
import { Problem } from '../../contracts/problem/problem';
import { createMemoryLimits } from '../../infra/engines/rate-limits/memory';
import { createUnreadSignatures } from './unread-signatures';

const QUOTAS = {
  first_reads: 3,
};
const LANDED: SolanaSignatureStatus = {
  slot: 7,
  confirmations: 0,
  err: null,
  confirmationStatus: 'processed',
};

/** With nodes that know the given statuses. */
function fixture(statuses: Readonly<Record<string, SolanaSignatureStatus>> = {}) {
  const limits = createMemoryLimits(QUOTAS);
  const readUnrecorded = jest.fn(async ({ signature }: { signature: string }) => ({
    height: 7,
    data: statuses[signature] ?? null,
    at: '2026-11-20T12:00:00.000Z',
  }));
  const { isKnown, slotOf } = createUnreadSignatures({
    limits: async () => limits,
    unrecorded: { read: readUnrecorded },
  });
  const readerAt = (ip: string) => ({ ip, appendHeader: () => undefined });
  return {
    readUnrecorded,
    isKnown: (signature: string, ip = '192.0.2.1') =>
      isKnown({ network: 'mainnet', signature }, readerAt(ip)),
    slotOf: (signature: string, ip = '192.0.2.1') => slotOf({ network: 'mainnet', signature }, readerAt(ip)),
  };
}

const LIMITED = { code: 'rate_limited', extra: { 'violated-policies': ['first_reads'] } };

it('asks a node', async () => {
  const { isKnown } = fixture({ sent: LANDED });
  expect(await isKnown('sent')).toBe(true);
  expect(await isKnown('made up')).toBe(false);
});

it('does not know what no node answers for', async () => {
  const { isKnown, readUnrecorded } = fixture({ sent: LANDED });
  readUnrecorded.mockRejectedValueOnce(Problem.unavailable('no node answers', 2));
  expect(await isKnown('sent')).toBe(false);
  expect(await isKnown('sent')).toBe(true);
});

it('limits the signatures of an address, without asking a node, and not those of others', async () => {
  const { isKnown, readUnrecorded } = fixture();
  for (let n = 0; n < 3; n++) await isKnown(`made up ${n}`);
  for (let n = 3; n < 6; n++) await expect(isKnown(`made up ${n}`)).rejects.toMatchObject(LIMITED);
  // A second attempt is no way around it.
  await expect(isKnown('made up 3')).rejects.toMatchObject(LIMITED);
  expect(readUnrecorded).toHaveBeenCalledTimes(3);
  expect(await isKnown('made up 6', '192.0.2.2')).toBe(false);
});

it('counts who polls a signature once', async () => {
  const { isKnown } = fixture();
  for (let n = 0; n < 20; n++) expect(await isKnown('sent soon')).toBe(false);
});

it('tells an outage from a signature that no node knows where a slot is asked for, and limits that too', async () => {
  const { slotOf, readUnrecorded } = fixture({ sent: LANDED });
  readUnrecorded.mockRejectedValueOnce(Problem.unavailable('no node answers', 2));
  await expect(slotOf('sent')).rejects.toMatchObject({ code: 'not_ready' });
  expect(await slotOf('sent')).toBe(7);
  expect(await slotOf('made up 1')).toBeNull();
  expect(await slotOf('made up 2')).toBeNull();
  await expect(slotOf('made up 3')).rejects.toMatchObject(LIMITED);
});
