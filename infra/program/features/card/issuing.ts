import type { CardIssuer } from '../../../../contracts/card-issuer/issuer';
import { CARD_CHALLENGE_GUESSES } from '../../../../contracts/http/card/otp';
import { CARD_UNSIGNED_WEBHOOKS, receiveIssuerWebhook } from '../../../../contracts/http/card/webhooks';
import { cardSetAsideProjection, findSetAsideWebhooks } from '../../../../projections/card/set-aside';
import { issuerReaction } from '../../../../services/card/issuer/jobs';
import { WAIT_BYTES } from '../../memory-use';
import { ISSUER_CALLS, MAX_WAITING_ISSUER_CALLS } from '../../../../services/card/issuer/ask-issuer';
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

const { path, aliases = [] } = receiveIssuerWebhook;
const WEBHOOK_PATHS = [path, ...aliases];

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
    memory: [
      {
        of: 'calls of the issuer of cards that wait',
        max: MAX_WAITING_ISSUER_CALLS,
        bytesEach: WAIT_BYTES,
        besideConnection: true,
      },
    ],
    bounds: [
      {
        of: 'calls of the issuer of cards for which card holders wait, in a process: data for the wallets of phones, and rates of transfers',
        owner: 'all card holders',
        max: `${ISSUER_CALLS} at a time, and ${MAX_WAITING_ISSUER_CALLS} that wait`,
        share:
          'a quarter, and as much of all card holders of one address; card holders take turns, each with its oldest call',
        beyond: '503 `card_issuer_unavailable` for the newest of the card holder with most',
        attack: {
          file: 'test/card/issuer-calls.test.ts',
          test: 'of however many holders of one address have a share of those of a slow issuer, and a holder elsewhere is served',
        },
      },
      {
        of: 'what a process tells the issuer of cards at a time',
        owner: 'all card holders',
        max: '16 answers to its questions, and 16 orders, changes and identifications',
        share: 'no share; a holder answers only what the issuer asks it',
        beyond: 'told later, in the order of arrival; orders and changes delay no answer',
        attack: {
          file: 'test/card/issuer-calls.test.ts',
          test: 'of orders of cards, however many wait for a slow issuer, delay no answer at a checkout',
        },
      },
    ],
    quotas: [CARD_UNSIGNED_WEBHOOKS, CARD_CHALLENGE_GUESSES],
    metrics: cardIssuingMetrics,
    retentions: [CARD_CHALLENGE_RETENTION, CARD_WEBHOOK_RETENTION],
    projections: [cardSetAsideProjection],
    routes: deps => issuingRoutes(deps, resource),
    ownPaths: config => (config.of(CARD_ISSUING_SETTINGS).CARD_ISSUER_URL ? [] : WEBHOOK_PATHS),
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
    handle,
    clock,
    signal,
    store: engines.store,
    views: engine.views,
    texts: await use(personalTexts),
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
            store: engines.store,
            jobs: engines.jobs,
            handle,
            clock,
            texts,
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
