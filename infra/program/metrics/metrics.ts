import { Router } from 'express';
import { Reply } from '../../../services/http/call';
import type { ConnectionObserver } from '../../../services/http/connections';
import { sendRaw } from '../../../services/http/send';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { programMetrics } from './program-metrics';

/** Where metrics are registered. */
export type Registers = Registry[];

/** Makes the metrics of a functional group. */
export type DefineMetrics<Defined = unknown> = (registers: Registers) => Defined;

/**
 * The metrics of one running program, in a registry of their own so that two can live in one process.
 * @param definitions of groups; each is made once
 */
export function createMetrics(definitions: readonly DefineMetrics[] = []) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const made = new Map<DefineMetrics, unknown>(definitions.map(define => [define, define([registry])]));
  return {
    ...programMetrics([registry]),
    registry,
    /** Those of a group. @throws where it does not declare them: nobody would see them */
    of<Defined>(define: DefineMetrics<Defined>): Defined {
      if (!made.has(define)) throw new Error('metrics that are not among those of a feature');
      return made.get(define) as Defined;
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Counts the connections of a route that stay open, and what is sent over them. */
export function streamMetrics({ streams, streamFrames }: Metrics, route: string): ConnectionObserver {
  const open = streams.labels(route);
  const [sent, received] = ['sent', 'received'].map(direction => streamFrames.labels(route, direction));
  return {
    opened: () => open.inc(),
    closed: () => open.dec(),
    sent: () => sent!.inc(),
    received: () => received!.inc(),
  };
}

/** `GET /metrics` in the Prometheus text format; `refresh` updates gauges before each scrape. */
export function metricsRouter({ registry }: Metrics, refresh: () => Promise<unknown>): Router {
  const router = Router();
  router.get('/metrics', async (request, response) => {
    await refresh();
    await sendRaw(request, response, new Reply(await registry.metrics()), registry.contentType);
  });
  return router;
}
