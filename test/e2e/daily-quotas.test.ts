import { shareOf } from '../../contracts/bound';
import { dailyQuota, type Quota } from '../../contracts/quota';
import { dailyQuotaSetting, quotaSetting } from '../../infra/config/settings';
import { FEATURES } from '../../infra/program/features';
import { callsOf, isRefusedBy, isTold, startAttacked, TEST_MS } from './quota-attacks';
import { until } from '../until';
import '../starts-programs';

/*
 * Each quota of a day: a stranger takes its share of what all may leave within one, and somebody else leaves theirs beside it.
 */

const PER_DAY = 40;
/** Calls that cost another one too, of which a stranger has its share later. */
const DAYS: Readonly<Record<string, number>> = { card_contact_codes: 20 };
const perDayOf = ({ name }: Quota): number => DAYS[name] ?? PER_DAY;
const PER_MINUTE = 1_000;
const OF_DAY = FEATURES.quotas.filter(({ perDay }) => perDay !== undefined);

startAttacked({
  ...Object.fromEntries(FEATURES.quotas.map(quota => [quotaSetting(quota), String(PER_MINUTE)])),
  ...Object.fromEntries(OF_DAY.map(quota => [dailyQuotaSetting(quota), String(perDayOf(quota))])),
  STORAGE_VALUE_KIBIBYTES: '4',
});

it.each(OF_DAY.filter(({ attack }) => !attack).map(quota => [quota.name, quota] as const))(
  'a stranger who has had its share of a day of %s keeps nobody else from being served',
  async (_name, quota) => {
    const { stranger, honest, served } = callsOf(quota);
    const policy = dailyQuota(quota);
    const refused: boolean[] = [];
    // What others have left makes the share a smaller one.
    for (let n = 0; n <= shareOf(perDayOf(quota)) && !(isTold(quota) && refused.at(-1)); n++)
      refused.push(isRefusedBy(quota, policy, await stranger(n)));
    if (isTold(quota)) expect(refused[0]).toBe(false);
    expect(refused.at(-1)).toBe(true);
    const answer = await until(honest, each => isTold(quota) || !isRefusedBy(quota, policy, each));
    expect(answer).toMatchObject({ status: served });
    expect([answer, isRefusedBy(quota, policy, answer)]).toEqual([answer, false]);
  },
  TEST_MS,
);
