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
    note: 'What was attached is counted, also where most of it comes back. Who has requests that its wallet refuses waits, twice as long each time.',
    attack: {
      file: 'test/gasless/endpoints.test.ts',
      test: 'a source that has spent its share gets nothing more, and another source is served',
    },
  },
];
