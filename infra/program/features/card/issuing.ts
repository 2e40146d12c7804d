import type { CardIssuer } from '../../../../contracts/card-issuer/issuer';
import { CARD_CHALLENGE_GUESSES } from '../../../../contracts/http/card/otp';
import { CARD_UNSIGNED_WEBHOOKS } from '../../../../contracts/http/card/webhooks';
import { cardSetAsideProjection, findSetAsideWebhooks } from '../../../../projections/card/set-aside';
import { issuerReaction } from '../../../../services/card/issuer/jobs';
import { workIssuer } from '../../../../services/card/issuer/worker';
import { cardIssuingRoutes } from '../../../../services/card/issuing-routes';
import {
  CARD_CHALLENGE_RETENTION,
  CARD_WEBHOOK_RETENTION,
} from '../../../../services/card/webhooks/retention';
import { cardWebhookRoutes } from '../../../../services/card/webhooks/routes';
import { jobsOfEvents } from '../../../../services/reactions/event-reaction';
import type { Feature, ProgramDeps, Resource, Worker } from '../../feature';
import { personalTexts } from '../../personal-texts';
import { rateLimits } from '../../requests/rate-limits';
import { jobHandlers } from '../../roles/jobs';
import { cardIssuingMetrics } from './issuing-metrics';
import { CARD_ISSUING_SETTINGS, checkCardIssuingSettings } from './issuing-settings';
import { isCardOn } from './settings';

/** The issuer, and the secrets of its webhooks. */
export interface OpenedIssuer {
  readonly secrets: readonly Buffer[];
  /** Opened at the first call. */
  issuer(): Promise<CardIssuer>;
}

/** What the issuer of cards is told, what it says, and what it asks card holders. */
export function cardIssuingWith(resource: Resource<OpenedIssuer>, workers: readonly Worker[] = []): Feature {
  return {
    name: 'card-issuing',
    settings: CARD_ISSUING_SETTINGS,
    checkSettings: checkCardIssuingSettings,
    quotas: [CARD_UNSIGNED_WEBHOOKS, CARD_CHALLENGE_GUESSES],
    metrics: cardIssuingMetrics,
    retentions: [CARD_CHALLENGE_RETENTION, CARD_WEBHOOK_RETENTION],
    projections: [cardSetAsideProjection],
    routes: deps => issuingRoutes(deps, resource),
    reactions: () => [issuerReaction],
    reenqueue: ({ engines: { store } }) => [
      { name: issuerReaction.name, jobs: () => jobsOfEvents(store, issuerReaction) },
    ],
    workers: [telling(resource), looking, ...workers],
  };
}

async function issuingRoutes(deps: ProgramDeps, resource: Resource<OpenedIssuer>) {
  const { config, engine, engines, handle, clock, metrics, readWait, signal, use } = deps;
  const opened = await use(resource);
  const shared = {
    ...{ handle, clock, signal },
    ...{ store: engines.store, views: engine.views, texts: await use(personalTexts) },
    limits: () => use(rateLimits),
    isOn: (network: 'mainnet' | 'testnet') => isCardOn(config, network),
    issuer: () => opened.issuer(),
    waitMs: readWait.waitMs,
  };
  const onWebhook = (webhook: { readonly type: string; readonly result: string }): void =>
    metrics.of(cardIssuingMetrics).webhooks.inc(webhook);
  return [
    ...cardWebhookRoutes({ ...shared, secrets: opened.secrets, onWebhook }),
    ...cardIssuingRoutes(shared),
  ];
}

const telling = (resource: Resource<OpenedIssuer>): Worker => ({
  role: 'jobs',
  async start(deps) {
    const texts = await deps.use(personalTexts);
    return jobHandlers('card_issuer', ({ engines, handle, clock, metrics, use }) => [
      signal =>
        workIssuer(
          {
            ...{ store: engines.store, jobs: engines.jobs, handle, clock, texts },
            issuer: async () => (await use(resource)).issuer(),
            onTold: told => metrics.of(cardIssuingMetrics).told.inc(told),
          },
          signal,
        ),
    ]).start(deps);
  },
});

const DAY_MS = 86_400_000;

/** A webhook that was set aside within a day is a fault that an operator should see. */
const looking: Worker = {
  role: 'api',
  start({ engine: { views }, clock }) {
    const run = async (): Promise<string | null> => {
      const [last] = await findSetAsideWebhooks(views, 1);
      if (!last || clock().getTime() - Date.parse(last.at) > DAY_MS) return null;
      return `webhook ${last.webhookId} of the issuer was set aside: ${last.reason} ${last.detail}`;
    };
    return { checks: [{ name: 'card_webhooks', vital: false, run }] };
  },
};
