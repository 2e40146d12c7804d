import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { createCalendar } from '../../contracts/calendar';
import { observationRequests } from '../../indexers/observe';
import { SOLANA_OBSERVED } from '../../indexers/solana/observers/observers';
import { solanaPageSources } from '../../projections/solana/transactions/queries';
import { tonHashSource, tonTransactionByHash } from '../../projections/ton/messages';
import { tonTransactions } from '../../projections/ton/transactions/queries';
import type { AsOf } from '../../projections/as-of/port';
import type { ProjectionEngine } from '../../projections/engine/engine';
import { billingRoutes } from '../../services/billing/routes';
import { createHandle } from '../../services/handle';
import { historyRoutes } from '../../services/history/routes';
import type { Binding } from '../../services/http/binding';
import type { PersonalTexts } from '../../services/personal-text';
import { sealRoutes } from '../../services/seal/routes';
import { solanaRoutes } from '../../services/solana/routes';
import { readTransactions } from '../../services/solana/transactions';
import { tonRoutes } from '../../services/ton/routes';
import { createWatch } from '../../services/watch/commands';
import type { Admission } from './request-policies';
import type { Config } from './config';
import type { Engines } from '../engines/engines';
import type { Seal } from './seal';

export interface RouteDeps {
  readonly config: Config;
  readonly engines: Pick<Engines, 'store' | 'jobs'>;
  readonly engine: Pick<ProjectionEngine, 'views'>;
  readonly texts: PersonalTexts;
  readonly admission: Omit<Admission, 'close'>;
  readonly asOf: AsOf;
  readonly seal: Pick<Seal, 'keys' | 'prover'>;
  readonly clock: () => Date;
  readonly logger: Logger;
}

/** Milliseconds that a read waits for what is on its way, before it answers with what there is. */
export const PATIENCE = 2_500;

/** Everything people can ask of the program. */
export function routes(deps: RouteDeps): Binding[] {
  const { config, engines, engine, texts, admission, asOf, seal, clock, logger } = deps;
  const { store } = engines;
  const { views } = engine;
  const request = observationRequests(engines.jobs, SOLANA_OBSERVED);
  const watch = createWatch({ store, clock });
  const solana = { views, watch, request, now: () => clock().getTime(), patience: PATIENCE };
  return [
    ...historyRoutes({
      answer: views.answer,
      transactions: tonTransactions(views),
      solana: {
        page: (network, address, page) => readTransactions(solana, network, address, page),
        sources: solanaPageSources,
      },
      watch,
      logger,
      patience: PATIENCE,
    }),
    ...tonRoutes({
      answer: views.answer,
      transactionByHash: tonTransactionByHash(views),
      hashSource: tonHashSource,
    }),
    ...solanaRoutes(solana),
    ...sealRoutes(seal.keys),
    ...billingRoutes({
      ...admission,
      store,
      views,
      texts,
      asOf,
      prover: seal.prover,
      handle: createHandle({ store }),
      calendar: createCalendar(config.INSTANCE_TIME_ZONE),
      currency: config.INSTANCE_CURRENCY,
      currencyScale: config.CURRENCY_SCALE,
      instanceId: config.INSTANCE_ID,
      voidReasonRequired: config.VOID_REASON_REQUIRED,
      secureSession: { maxAge: config.SECURE_SESSION_MAX_AGE, acrValues: config.SECURE_ACR_VALUES },
      now: () => clock().toISOString(),
      newId: randomUUID,
      patience: PATIENCE,
    }),
  ];
}
