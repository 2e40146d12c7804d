import type { Bound } from '../../../../contracts/bound';

/** What callers can have the relayer spend. */
export const gaslessBounds: readonly Bound[] = [
  {
    of: 'TON that the relayer attaches to gasless transfers',
    owner: 'the operator',
    max: '`GASLESS_TON_PER_MINUTE` and `GASLESS_TON_PER_DAY`, and never below `GASLESS_MIN_BALANCE_TON`',
    share:
      '`GASLESS_WALLET_TON_PER_MINUTE` and `GASLESS_WALLET_TON_PER_DAY` of a wallet, `GASLESS_SOURCE_TON_PER_MINUTE` and `GASLESS_SOURCE_TON_PER_DAY` of where calls come from',
    beyond: '`try-later`',
    note: 'What was attached is counted, also where most of it comes back, in minutes and days of UTC, whose limits hold for all processes together: in sixty seconds across the turn of a minute twice as much may be accepted. What the wallet cannot pay for waits, until it can or the transfer expires. The fees of its own messages, of some 0.01 for each transfer, may come out of `GASLESS_MIN_BALANCE_TON`. A caller whose requests its wallet refuses has to wait, twice as long each time.',
    attack: {
      file: 'test/gasless/endpoints.test.ts',
      test: 'a source that has spent its share gets nothing more, and another source is served',
    },
  },
  {
    of: 'requests that wait for TonAPI, with `GASLESS_RELAYER=tonapi`',
    owner: 'all who send',
    max: 'as many as are sent in five seconds, with `GASLESS_TONAPI_REQUESTS_PER_SECOND`; estimates, and sends',
    share:
      'a quarter of the transfers that are estimated or sent at a time; callers take turns, each with its oldest',
    beyond: '`try-later` for the newest of the caller with most, before anything is sent',
    note: 'Estimates and sends take turns.',
    attack: {
      file: 'infra/engines/gasless-upstream/tonapi.test.ts',
      test: 'strangers with all that may wait keep neither an estimate nor a transfer of somebody else from being sent',
    },
  },
];
