import { pino } from 'pino';
import type { Clients } from '../../../contracts/observation/observation';
import { GetMethodFailed } from '../../../contracts/ports/ton-client';
import { createSourceLimits } from '../../observations/source-limits';
import { createUnrecordedReader } from '../../observations/unrecorded-reader';
import { unreadLiquidMember } from './liquid-member';
import { unreadStakingMember } from './staking';
import { unreadUsdeMember } from './usde-member';

const [OWNER, POOL] = ['a', 'b'].map(digit => `0:${digit.repeat(64)}`) as [string, string];
const never = new Promise<never>(() => undefined);
const kinds = {
  'in a nominator pool': [unreadStakingMember, { network: 'mainnet', member: OWNER, pool: POOL }],
  'in the liquid pool': [unreadLiquidMember, { network: 'mainnet', address: OWNER }],
  'of USDe': [unreadUsdeMember, { network: 'mainnet', address: OWNER }],
} as const;

test.each(Object.entries(kinds))(
  'who has no stake %s and asks again later is answered from memory, while the nodes are asked',
  async (_, [observation, subject]) => {
    let [now, asked, hangs] = [Date.UTC(2026, 0, 1), 0, false];
    const answer = <T>(value: () => T): Promise<T> => {
      asked += 1;
      return hangs ? never : Promise.resolve().then(value);
    };
    const noContract = (): never => {
      throw new GetMethodFailed('get_wallet_address', -256);
    };
    const client = {
      getLastBlock: () => answer(() => ({ seqno: 5, now: 1 })),
      runMethod: () => answer(noContract),
      getJettonWallet: () => answer(noContract),
      getAccountLite: () => answer(() => ({ status: 'uninitialized' })),
    };
    const reader = createUnrecordedReader<unknown, unknown>(observation as typeof unreadUsdeMember as never, {
      clients: { ton: () => client } as unknown as Clients,
      limits: createSourceLimits(),
      logger: pino({ level: 'silent' }),
      now: () => now,
      waitMs: 2 ** 31 - 1,
    });
    const first = await reader.read(subject);
    now += 3_600_000;
    [asked, hangs] = [0, true];
    expect(await reader.read(subject)).toBe(first);
    await new Promise(setImmediate);
    expect(asked).toBeGreaterThan(0);
  },
);
