import { z } from 'zod';

/** `GET /health/ready`: with 503 while the program cannot be used. What is wrong is for operators, at an address of their own. */
export const healthReport = z
  .object({
    status: z.enum(['ready', 'degraded', 'not_ready']),
    /** With `not_ready`: whether reads are answered all the same. */
    reads: z.boolean().optional(),
    /** With `not_ready`: whether commands are. */
    writes: z.boolean().optional(),
  })
  .meta({ id: 'HealthReport' });

/** The same at the operators' address. */
export const operatorsHealthReport = healthReport.extend({
  /** By the name of the check: `ok`, `off` for a network that this instance does not serve, or what is wrong. */
  checks: z.record(z.string(), z.string()),
});

/** `GET /health/live`: the process answers. */
export const liveness = z.object({ status: z.literal('live') }).meta({ id: 'Liveness' });
