import type { Quota } from '../../contracts/quota';
import { quotaSetting } from '../../infra/config/settings';
import { FEATURES } from '../../infra/program/features';
import { callsOf, isRefusedBy, isTold, readOfNew, startAttacked, TEST_MS } from './quota-attacks';
import { until } from '../until';
import '../starts-programs';

/*
 * Each quota of a minute: a stranger uses up its own by calls that cost it, and somebody else is served beside it.
 */

const LIMIT = 3;
/** Those that calls of other quotas cost too. */
const LIMITS: Readonly<Record<string, number>> = {
  node_reads: 30,
  storage_writes: 64,
  card_enrolments: 40,
  card_calls: 6,
  card_steps: 5,
  push_registrations: 5,
};
const limitOf = ({ name }: Quota): number => LIMITS[name] ?? LIMIT;

/** Where one call may count as many, those of the stranger do. */
const settingOf = (quota: Quota): string => String(limitOf(quota) * (quota.maxPerCall ?? 1));

startAttacked(Object.fromEntries(FEATURES.quotas.map(quota => [quotaSetting(quota), settingOf(quota)])));

it.each(FEATURES.quotas.filter(({ attack }) => !attack).map(quota => [quota.name, quota] as const))(
  'a stranger who has used up its %s keeps nobody else from being served',
  async (name, quota) => {
    const { stranger, honest, served } = callsOf(quota);
    for (let n = 0; n < limitOf(quota); n++) {
      const answer = await stranger(n);
      expect([answer, answer.status, isRefusedBy(quota, name, answer)]).not.toEqual([answer, 429, false]);
      if (isTold(quota)) expect([answer, isRefusedBy(quota, name, answer)]).toEqual([answer, false]);
    }
    const beyond = await stranger(limitOf(quota));
    expect([beyond, isRefusedBy(quota, name, beyond)]).toEqual([beyond, true]);
    const answer = await until(honest, each => isTold(quota) || !isRefusedBy(quota, name, each));
    expect(answer).toMatchObject({ status: served });
    expect([answer, isRefusedBy(quota, name, answer)]).toEqual([answer, false]);
  },
  TEST_MS,
);

it('HEAD costs as much as GET', async () => {
  for (let n = 0; n < LIMIT; n++) expect(await readOfNew('HEAD', n)).not.toMatchObject({ status: 429 });
  expect(await readOfNew('HEAD', LIMIT)).toMatchObject({ status: 429 });
  expect(await readOfNew('GET', LIMIT)).toMatchObject({ status: 429 });
});
