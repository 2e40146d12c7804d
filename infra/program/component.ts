import type { RequestHandler } from 'express';
import type { Binding } from '../../services/http/binding';
import type { RequestPolicies } from '../../services/http/mount-options';
import type { Check } from './health/health';

/** What a role adds to the process that runs it. */
export interface Component {
  /** Resolves when all has stopped after the signal; rejects with an error that only an operator can fix. */
  readonly done?: Promise<unknown>;
  readonly checks?: readonly Check[];
  /** Updates the gauges before a scrape. */
  readonly refresh?: () => Promise<void> | void;
  readonly bindings?: readonly Binding[];
  /** Enforce the access rules of the endpoints. */
  readonly policies?: RequestPolicies;
  /** Routers that are no endpoints of the API. */
  readonly routers?: readonly RequestHandler[];
}
