import { createCalendar } from '../../contracts/time/calendar';
import type { Config } from '../../infra/config/settings';
import { withProjections, type Tools } from '../../infra/program/commands/with-engines';
import { openPersonalTexts } from '../../infra/program/features/erasure/personal-texts';
import { BILLING_PROJECTIONS } from '../../projections/billing/billing-projections';
import type { Views } from '../../projections/views';
import { createHandle } from '../../services/handle';

/** The id of what `withBilling` generates. */
export const GENERATED_ID = '00000000-0000-4000-8000-000000000001';

/** Runs work with what the commands of billing need, on the data of a command line, while the projections fold. */
export function withBilling<Result>(
  config: Config,
  work: (deps: Awaited<ReturnType<typeof depsOf>>) => Promise<Result>,
): Promise<Result> {
  return withProjections(config, BILLING_PROJECTIONS, async ({ engines, engine }) => {
    const running = new AbortController();
    const projecting = engine.run(running.signal);
    const result = await work(await depsOf(config, engines, engine.views));
    running.abort();
    await projecting;
    return result;
  });
}

const depsOf = async (config: Config, engines: Tools['engines'], views: Views) => ({
  store: engines.store,
  handle: createHandle({ store: engines.store }),
  views,
  texts: await openPersonalTexts(config, engines),
  calendar: createCalendar('UTC'),
  instanceId: config.INSTANCE_ID,
  currency: 'USD',
  currencyScale: 2,
  newId: () => GENERATED_ID,
  waitMs: 60_000,
});
