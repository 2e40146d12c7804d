import { Address } from '@ton/core';
import { z } from 'zod';

/** As `appSchemas`, of staking: most of it is used without a check, so that what is missing or malformed ends the screen. */
export function stakingSchemas(address: z.ZodType<string>) {
  const integer = z.string().regex(/^-?\d+$/);
  const parsedAddress = z.string().refine(text => Address.parse(text) instanceof Address);
  const positive = integer.refine(text => BigInt(text) > 0n);
  const amounts = <Name extends string>(...names: Name[]) =>
    z.object(Object.fromEntries(names.map(name => [name, integer])) as Record<Name, typeof integer>);

  const stake = amounts('balance', 'pendingDeposit', 'pendingWithdraw', 'withdraw');
  const election = z.object({ id: z.int(), bonuses: integer, totalStake: positive });
  const movement = z.object({
    amount: integer,
    time: z.iso.datetime(),
    trigger: z.enum(['payload', 'comment']),
  });

  return {
    /** By pool; in one of them there is something. */
    stakes: z
      .record(parsedAddress, stake)
      .refine(pools => Object.values(pools).some(each => Object.values(each).some(amount => amount !== '0'))),
    liquidMember: z.object({
      balance: integer,
      owner: address,
      master: address,
      code: z.base64(),
      pendingWithdrawals: z.record(z.string().regex(/^\d+$/), integer),
    }),
    liquidPool: z.object({
      rateDeposit: positive,
      rateWithdraw: positive,
      roundId: z.number(),
      extras: amounts('minStake', 'depositFee', 'withdrawFee', 'receiptPrice').extend({
        address,
        enabled: z.boolean(),
        upgradable: z.boolean(),
        poolFee: z.number(),
        // Seconds: in milliseconds the countdown would be of thousands of years.
        roundEnd: z.number().gt(1e9).lt(1e10),
        proxyZeroStakeUntil: z.number().lt(1e10),
        proxyOneStakeUntil: z.number().lt(1e10),
      }),
      balances: amounts(
        'minterSupply',
        'totalBalance',
        'totalSent',
        'totalPendingWithdraw',
        'totalBalanceWithdraw',
      ),
    }),
    /** The app divides by it. */
    usdeRate: z.object({ usdeRate: z.number().gte(1) }),
    /** Percent; null ends the screen. */
    usdeApy: z.object({
      apy: z.union([z.string().min(1), z.number()]).refine(apy => Number.isFinite(Number(apy))),
    }),
    usdeMember: z.object({
      balance: positive,
      owner: address,
      minter: address,
      timeLocked: z.object({ balance: integer, limit: integer }).nullish(),
    }),
    stakingStatus: z.object({
      status: z.object({
        data: z
          .object({
            startWorkTime: z.number().gt(1e12),
            validatorsElectedFor: z.number().gt(0),
            electorsStartBefore: z.number(),
            electorsEndBefore: z.number(),
            stakeHeldFor: z.number(),
            validationFrom: z.number().lt(1e10),
            validationUntil: z.number().lt(1e10),
            bonuses: integer,
            minStake: integer,
            maxStake: integer,
            electionEntities: z.array(z.object({ key: z.string(), amount: integer, address })),
            validators: z.array(z.object({ address, stake: integer, weight: z.string() })).min(1),
            electionsHistory: z.array(election),
          })
          // The app computes the yields of the last two rounds from these.
          .refine(
            ({ electionsHistory, startWorkTime }) =>
              electionsHistory.filter(({ id }) => id * 1_000 < startWorkTime).length >= 2,
          )
          .refine(({ electionsHistory }) =>
            electionsHistory.every(({ id }, place) => place === 0 || id < electionsHistory[place - 1]!.id),
          ),
      }),
    }),
    nominator: z.object({
      nominator: amounts('profitAmount', 'totalDepositAmount', 'totalWithdrawAmount').extend({
        profitByTimespan: integer.nullish(),
        deposits: z.array(movement),
        withdraws: z.array(movement),
        profits: z.array(z.object({ amount: integer, time: z.iso.datetime() })),
      }),
    }),
    poolApy: z.array(z.object({ poolApy: z.string(), globalApy: z.string(), time: z.iso.datetime() })),
  };
}
