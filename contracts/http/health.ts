import { z } from 'zod';

/** `GET /health/ready`: with 503 while the program cannot be used. */
export const healthReport = z
  .object({
    status: z.enum(['ready', 'degraded', 'not_ready']),
    checks: z.record(z.string(), z.string()).meta({
      description:
        'By the name of the check: `ok`, `off` for a network that this instance does not serve, or what is wrong',
    }),
  })
  .meta({ id: 'HealthReport' });

/** `GET /health/live`: the process answers. */
export const liveness = z.object({ status: z.literal('live') }).meta({ id: 'Liveness' });
