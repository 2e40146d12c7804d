import { toNano } from '@ton/core';
import { z } from 'zod';
import { CARD_PUBLIC_ACCOUNTS } from '../../../../contracts/http/card/accounts';
import { CARD_CHANGES } from '../../../../contracts/http/card/own-cards';
import { cardHistoryProjection } from '../../../../projections/card/history';
import { solanaTransactions } from '../../../../projections/solana/transactions/queries';
import { cardArchives, workArchives } from '../../../../services/card/account/archive-jobs';
import { cardOpenings, workOpenings } from '../../../../services/card/account/opening';
import { cardFeeReturns, workFeeReturns } from '../../../../services/card/card/fee-returns';
import { ownCardRoutes } from '../../../../services/card/card/routes';
import { createDepositAddresses } from '../../../../services/card/deposit/deposit-address';
import { cardTopUps } from '../../../../services/card/deposit/reaction';
import { workTopUps } from '../../../../services/card/deposit/worker';
import { cardListRoutes } from '../../../../services/card/list/routes';
import { cardTransfers, workTransfers } from '../../../../services/card/prepaid/jobs';
import { cardPayouts, workDueVestings, workPayouts } from '../../../../services/card/vesting/jobs';
import { MAX_RECEIVED_VESTINGS } from '../../../../services/card/vesting/decider';
import { cardVestingRoutes } from '../../../../services/card/vesting/routes';
import { earnedFees } from '../../../../services/billing/earned/reaction';
import { cardEarnings } from '../../../../services/card/fees/earnings';
import { jobsOfEvents } from '../../../../services/reactions/event-reaction';
import { jobsOfLog } from '../../../../services/reactions/message-reaction';
import type { Config } from '../../../config/settings';
import type { Feature, ProgramDeps } from '../../feature';
import { masterKey, personalTexts } from '../../personal-texts';
import { jobHandlers } from '../../roles/jobs';
import { watchOf } from '../watch/account-watch';
import { cardCallerDeps } from './caller';
import { localCards } from './local-cards';

/** In whole coins, as units: both chains have 9 decimals. */
const price = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a decimal number with at most 9 decimals')
  .transform(text => toNano(text).toString());

const settings = {
  CARD_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a code of ISO 4217, such as EUR')
    .optional(),
  CARD_PRICE_TON: price.default('500000000'),
  CARD_PRICE_SOL: price.default('10000000'),
};

/** Of cards. */
const currencyOf = (config: Config): string => config.of(settings).CARD_CURRENCY ?? config.INSTANCE_CURRENCY;

const earnings = ({ INSTANCE_CURRENCY }: Config) => earnedFees(cardEarnings(INSTANCE_CURRENCY));

/** Accounts of card holders, their cards, and what is paid to them on chain. */
export const cardAccounts: Feature = {
  name: 'card-accounts',
  settings,
  quotas: [CARD_PUBLIC_ACCOUNTS, CARD_CHANGES],
  bounds: [
    {
      of: 'cards of an account of a card holder',
      owner: 'the card holder',
      max: '10 that are not closed, and 100 for good',
      share: 'all of it',
      beyond:
        '409 `too_many_cards`; a card holder has two accounts, and as many prepaid cards as cards of one',
      attack: {
        file: 'test/card/strangers.test.ts',
        test: 'a holder who orders cards without end has as many as it may, and another one orders its own',
      },
    },
    {
      of: 'vesting accounts that a card holder creates, and deposits of each',
      owner: 'the card holder',
      max: '20, and 500 of each, for good',
      share: 'all of it',
      beyond: '409 `too_many_card_vestings`; those that there are pay out as before',
      attack: {
        file: 'test/card/vesting.test.ts',
        test: 'a holder who creates vesting accounts without end has as many as it may, and another one creates its own',
      },
    },
    {
      of: 'vesting accounts of others that pay to a card holder, each once an hour at most',
      owner: 'the card holder; those that there are pay out as before',
      max: `${MAX_RECEIVED_VESTINGS}, for good`,
      share: 'a quarter of what the others leave, of each card holder who creates them',
      beyond: '409 `too_many_card_vestings`',
      attack: {
        file: 'test/card/vesting.test.ts',
        test: 'of strangers that pay to a holder unasked have a share of its places, and those of others and its own are listed',
      },
    },
  ],
  projections: [cardHistoryProjection],
  async routes(deps) {
    const routesDeps = await cardMoneyDeps(deps);
    return [...cardListRoutes(routesDeps), ...ownCardRoutes(routesDeps), ...cardVestingRoutes(routesDeps)];
  },
  reactions: ({ config, engines: { store } }) => [
    cardOpenings,
    cardArchives,
    cardTransfers,
    cardPayouts,
    cardFeeReturns,
    cardTopUps(store),
    earnings(config),
  ],
  reenqueue: ({ config, engines: { store, log } }) => {
    const topUps = cardTopUps(store);
    return [
      ...[cardOpenings, cardTransfers, cardPayouts, cardFeeReturns, earnings(config)].map(reaction => ({
        name: reaction.name,
        jobs: () => jobsOfEvents(store, reaction),
      })),
      { name: topUps.name, jobs: () => jobsOfLog(log, topUps) },
    ];
  },
  workers: [
    localCards(({ config }) => currencyOf(config)),
    jobHandlers('card_accounts', ({ config, engines, engine, handle, clock }) => {
      const { store, jobs } = engines;
      const { views } = engine;
      const shared = { store, jobs, handle, clock };
      return [
        async signal => {
          const depositAddress = createDepositAddresses(await masterKey(config));
          const fiatCurrency = currencyOf(config);
          await workOpenings({ ...shared, depositAddress, fiatCurrency, isSandbox: () => true }, signal);
        },
        signal => workTopUps({ ...shared, views, solana: solanaTransactions(views) }, signal),
        signal => workArchives(shared, signal),
        signal => workTransfers(shared, signal),
        signal => workDueVestings({ ...shared, views }, signal),
        signal => workPayouts(shared, signal),
        signal => workFeeReturns(shared, signal),
      ];
    }),
  ],
};

/** What the endpoints of accounts and cards need. */
async function cardMoneyDeps(deps: ProgramDeps) {
  const { config, handle, logger, use, readWait } = deps;
  const { CARD_PRICE_TON, CARD_PRICE_SOL } = config.of(settings);
  return {
    ...cardCallerDeps(deps),
    handle,
    logger,
    texts: await use(personalTexts),
    watch: watchOf(deps),
    // There is no other issuer than the double.
    isSandbox: () => true,
    priceOf: (chain: 'ton' | 'solana') => (chain === 'ton' ? CARD_PRICE_TON : CARD_PRICE_SOL),
    waitMs: readWait.waitMs,
  };
}
