import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { ProjectionEngine } from '../../../projections/engine/engine';
import type { Config } from '../config';
import type { Engines } from '../../engines/engines';
import type { Check } from '../health';
import type { Metrics } from '../metrics';
import type { Networks } from '../networks';
import type { Seal } from '../seal';
import type { Sources } from '../sources';

/** What a process can be there for. One process may play all of them, or as many processes as needed one each. */
export const ROLES = ['api', 'indexer-ton', 'indexer-solana', 'projections', 'jobs', 'networks'] as const;
export type Role = (typeof ROLES)[number];

export interface RoleDeps {
  readonly config: Config;
  readonly engines: Engines;
  readonly engine: ProjectionEngine;
  readonly networks: Networks;
  readonly sources: Sources;
  readonly seal: Seal;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** What a role brings to the process that plays it. */
export interface Part {
  /** Settles when all has stopped after the signal; rejects when something can only be mended by the operator. */
  readonly done?: Promise<unknown>;
  readonly checks?: readonly Check[];
  /** Brings the role's gauges to where things stand now. */
  readonly refresh?: () => Promise<void> | void;
  /** Pages of its own, beside the API. */
  readonly pages?: readonly RequestHandler[];
}
