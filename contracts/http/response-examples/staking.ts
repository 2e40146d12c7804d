import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  stakingMemberInfo: {
    '1': {
      EQCkR1cGmnsE45N4K0otPl5EnxnRakmGqeJUNua5fkWhales: {
        balance: '300000000000',
        pendingDeposit: '0',
        pendingWithdraw: '100000000000',
        withdraw: '0',
        seqno: 16,
        at: '2026-11-28T05:36:21.557Z',
      },
    },
  },
  getLiquidStakingPool: {
    '1': {
      rateDeposit: '1000000000',
      rateWithdraw: '1000000000',
      roundId: 1,
      extras: {
        minStake: '49800000000',
        depositFee: '100000000',
        withdrawFee: '100000000',
        receiptPrice: '100000000',
        address: 'EQB0SoxuGDx5qjVt0P_bPICFeWdFLBmVopHhjgfs0q-wsTON',
        enabled: true,
        upgradable: true,
        poolFee: 1000,
        roundEnd: 1795913434,
        proxyZeroStakeUntil: 0,
        proxyOneStakeUntil: 1795978970,
        proxyStakeUntil: 0,
      },
      balances: {
        minterSupply: '1000070000000000',
        totalBalance: '1000070000000000',
        totalSent: '500050000000000',
        totalPendingWithdraw: '30000000000',
        totalBalanceWithdraw: '0',
      },
      seqno: 16,
      at: '2026-11-28T08:55:35.328Z',
    },
  },
  getLiquidStakingMember: {
    '1': {
      balance: '70000000000',
      code: 'te6cckECGAEABIkAART/APSkE/S88sgLAQIBYgIVAgLMAxICZ9kGOASS+B8ADoaYH4BwC42EdDGBjtnngH8H0gfSAY/QAY+gIY/QAY/QAYAWmPqCHtnngHwEBQF20x8x0x/TPzH6ACKCEJeX8Pu6johsEtMfMAHbPOAwhA8ighAXjUUZugOCEHvdl966E7ES8vT4QQGg+GEOBGwkghAPin6luo6EbBTbPOAkghAXjUUZuo6EbBTbPOAkghBZXwe8uo6EbBTbPOBbIoIQIzTkZ7oGCAsMAfQD0z/6APpA+kD0BDH6ACDXScIA8uLEI/pEMMAA8uFN+EJQCMcF8uLB+EEkvvLiwiCRcpFx4lAIqFJwoIIJycOAoIIImJaAoBW88uLF+EEiofhh+EP4RHBUEyNtyFAF+gJQA88WAc8WzPQAyXbIywQSzMzJghAXjUUZyAcAgssfE8s/AfoC+ELPFljPFlAD+gIBzxbJIfkAcHTIywLKB8v/ydBwWoBAd4AYyMsFUAbPFlAE+gIUy2vMEszJAfsAAvYD0z/6APpA+kD6APhDKMcF+EP4RCZZcFQTI23IUAX6AlADzxYBzxbM9ADJdsjLBBLMzMn5AHB0yMsCygfL/8nQUAnHBRix8uLD+EEkoPhh+CdvECahBoII5OHAoYIImJaAUXe2CBehFqEllBBHbFLjDSDCACLXCwHAALMJCgB2UligF6GCEHNi0JzIyx9SQMs/UAP6AgHPFlAEzxbJgBD4QloUcXEFyMsFUATPFlj6AhPLahLMyQH7AFkAWLCOJYAQA4IQ1TJ228jLH8s/yXJxBcjLBVAEzxZY+gITy2oSzMkB+wCSXwPiANwD0z/6APpAMPhDUAXHBfLiwSCTMPhB3yDCAPhBIr6w8uLCBIIKrqVAoIIImJaAoBK88uLD+EEjofhhghB73ZfeyMsfyz9Y+gL4Qs8WAc8WyYAY+ENwWAOAQHEFyMsFUATPFlj6AhPLahLMyQH7AAIujoRsEts84IQPA4IQkAYhDLoT8vQB2zwNDwGU+EMBxwXy4EnTP9Mf+gBZ2zz6QDABIdcLAcAAs44pgBBwAoIQ1TJ228jLH8s/yUMwgEJxBcjLBVAEzxZY+gITy2oSzMkB+wCRW+IOAD74RVIggCD0Dm+hlPoAMKCRMOLIAfoC+EUSgCD0Q/hlAtL4QwHHBfLgSdM/0x/6QDBwUwKk+EWAIPR+b6WUI8EKsI4eAfoAMBOgAaT4RVIwgCD0WzD4ZfhFE4Ag9H5vpRA06FvAAOMCghCXl/D7yMsfFMs/UAP6Assf+ELPFgHPFsmAGPhDcFgDgEAQEQBwMDEBIdcLAcAAs44pgBBwAoIQ1TJ228jLH8s/yUMwgEJxBcjLBVAEzxZY+gITy2oSzMkB+wCRW+IAKnEFyMsFUATPFlj6AhPLahLMyQH7AAIB9BMUADc7UTQ+gAB+GH6QAH4YvpAAfhj1AH4ZPQEMPhlgADk+EH4QvhD+ET4RchQBfoCUAPPFgHPFsz0AMntVIAIBZhYXAA22ax4B3wiwABm3YF4B3wg/CF8IfwiQ/Pi4Ag==',
      pendingWithdrawals: { '1': '30000000000' },
      owner: 'EQAs68d4gyEWiJU4grAEs38C0Sqn9aUZ4QmkOjTkCc73o7fC',
      master: 'EQB0SoxuGDx5qjVt0P_bPICFeWdFLBmVopHhjgfs0q-wsTON',
      seqno: 18,
      at: '2026-11-28T08:55:44.266Z',
    },
  },
  getMainnetStakingStatus: {
    '1': {
      status: {
        data: {
          validatorsElectedFor: 65536000,
          electorsStartBefore: 32768000,
          electorsEndBefore: 8192000,
          stakeHeldFor: 32768,
          minValidators: 5,
          maxValidators: 400,
          maxMainValidators: 100,
          minStake: '300000000000000',
          maxStake: '10000000000000000',
          validationUntil: 1795868732,
          startWorkTime: 1795803196000,
          validationFrom: 1795803196,
          bonuses: '0',
          validators: [
            {
              key: 0,
              weight: '136367059684680825',
              address: 'Ef-NpkRpgkGW6jMx00st-MtgelN90GFOnXrIYqUeRNd1qJti',
              stake: '9900000000000000',
              adnl: 'tR1I699NZegN8wQDOPT6cLqMDtuLG66oDitaZNiiyOE=',
            },
            {
              key: 1,
              weight: '134300892113700812',
              address: 'Ef_ObXIdZqwD_usgolxD8uOHu_BPRGXi9X-rFS7ENeTIBinQ',
              stake: '9750000000000000',
              adnl: 'o3IM0xkZBnAdzoE/7OVe4RmyYxE0bFpho5Hq6tJ64ks=',
            },
          ],
          electionEntities: [
            {
              key: 'HPOeJYMz2H08tTuXz4wzSr3GHE6DKE3pYa+OvRKqLDk=',
              amount: '8700000000000000',
              address: 'Ef93XYisr8pUGRAh5IRORxPGrmS0ZS0GupRcgIIyYS4qPMkH',
              adnl: 'iw4dNblD51PheOBTEQ5oobWwHBUb54lRYhV1NtDyuz0=',
            },
            {
              key: 'I3y+l9FNLkaa+KANPwprCqirHqx/uwuJypqkMFBgU4o=',
              amount: '8850000000000000',
              address: 'Ef_gNQsXBfzhpXvH0_sd-abkVNldOi3CSdF-XdizXzpyq-I9',
              adnl: 'arV9hkhUGZ9baxmxSaNAmUhdweb2byCNjJ0SIaSMxFg=',
            },
          ],
          complaints: [],
          electionsHistory: [
            {
              id: 1795803196,
              unfreezeAt: 1795901500,
              stakeHeld: 32768,
              totalStake: '83700000000000000',
              bonuses: '0',
            },
            {
              id: 1795737660,
              unfreezeAt: 1795835964,
              stakeHeld: 32768,
              totalStake: '83700000000000000',
              bonuses: '11969100000000',
            },
          ],
          seqno: 14,
          at: '2026-11-28T05:36:17.631Z',
        },
      },
    },
  },
  getStakingStatus: {
    '1': {
      status: {
        data: {
          validatorsElectedFor: 65536000,
          electorsStartBefore: 32768000,
          electorsEndBefore: 8192000,
          stakeHeldFor: 32768,
          minValidators: 5,
          maxValidators: 400,
          maxMainValidators: 100,
          minStake: '300000000000000',
          maxStake: '10000000000000000',
          validationUntil: 1795868732,
          startWorkTime: 1795803196000,
          validationFrom: 1795803196,
          bonuses: '0',
          validators: [
            {
              key: 0,
              weight: '136367059684680825',
              address: 'Ef-NpkRpgkGW6jMx00st-MtgelN90GFOnXrIYqUeRNd1qJti',
              stake: '9900000000000000',
              adnl: 'tR1I699NZegN8wQDOPT6cLqMDtuLG66oDitaZNiiyOE=',
            },
            {
              key: 1,
              weight: '134300892113700812',
              address: 'Ef_ObXIdZqwD_usgolxD8uOHu_BPRGXi9X-rFS7ENeTIBinQ',
              stake: '9750000000000000',
              adnl: 'o3IM0xkZBnAdzoE/7OVe4RmyYxE0bFpho5Hq6tJ64ks=',
            },
          ],
          electionEntities: [
            {
              key: 'HPOeJYMz2H08tTuXz4wzSr3GHE6DKE3pYa+OvRKqLDk=',
              amount: '8700000000000000',
              address: 'Ef93XYisr8pUGRAh5IRORxPGrmS0ZS0GupRcgIIyYS4qPMkH',
              adnl: 'iw4dNblD51PheOBTEQ5oobWwHBUb54lRYhV1NtDyuz0=',
            },
            {
              key: 'I3y+l9FNLkaa+KANPwprCqirHqx/uwuJypqkMFBgU4o=',
              amount: '8850000000000000',
              address: 'Ef_gNQsXBfzhpXvH0_sd-abkVNldOi3CSdF-XdizXzpyq-I9',
              adnl: 'arV9hkhUGZ9baxmxSaNAmUhdweb2byCNjJ0SIaSMxFg=',
            },
          ],
          complaints: [],
          electionsHistory: [
            {
              id: 1795803196,
              unfreezeAt: 1795901500,
              stakeHeld: 32768,
              totalStake: '83700000000000000',
              bonuses: '0',
            },
            {
              id: 1795737660,
              unfreezeAt: 1795835964,
              stakeHeld: 32768,
              totalStake: '83700000000000000',
              bonuses: '11969100000000',
            },
          ],
          seqno: 14,
          at: '2026-11-28T05:36:17.631Z',
        },
      },
    },
  },
  getStakingNominator: {
    '1': {
      nominator: {
        profitAmount: '0',
        totalDepositAmount: '300000000000',
        totalWithdrawAmount: '0',
        profitByTimespan: '0',
        deposits: [{ amount: '300000000000', time: '2026-11-28T08:51:57.000Z', trigger: 'payload' }],
        withdraws: [],
        profits: [],
        roundsKnownSince: null,
        balance: '300000000000',
        pendingDeposit: '0',
        pendingWithdraw: '100000000000',
        withdraw: '0',
        seqno: 17,
        at: '2026-11-28T08:52:08.427Z',
        formula:
          'balance + withdraw + pendingDeposit + paid withdrawals - deposits, all without fees and as of one block; of a round: the difference to the round before',
      },
      isFollowed: true,
    },
  },
};
