import { Router } from 'express';

/** One thing that must work for the program to be of use. */
export interface Check {
  readonly name: string;
  /** Null when well, else what is wrong. */
  run(): Promise<string | null>;
}

/** Live: the process answers. Ready: every check passes; 503 names the ones that do not. */
export function healthRouter(checks: readonly Check[]): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => void response.json({ status: 'live' }));
  router.get('/health/ready', async (_request, response) => {
    const results = await Promise.all(checks.map(async check => [check.name, await verdict(check)] as const));
    const wrong = results.filter(([, reason]) => reason !== null);
    response.status(wrong.length === 0 ? 200 : 503).json({
      status: wrong.length === 0 ? 'ready' : 'not ready',
      checks: Object.fromEntries(results.map(([name, reason]) => [name, reason ?? 'ok'])),
    });
  });
  return router;
}

async function verdict(check: Check): Promise<string | null> {
  try {
    return await check.run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
