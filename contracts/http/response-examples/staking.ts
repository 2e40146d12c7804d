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
};
