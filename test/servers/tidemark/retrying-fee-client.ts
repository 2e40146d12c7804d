import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../../e2e/client';
import { fee } from '../../e2e/installation';

const PAUSE_MS = 30;

export interface RetryingFeeClient {
  /** Ids of the fees whose recording was acknowledged. */
  readonly recorded: readonly string[];
  /** Number of 503 answers so far. */
  readonly refused: () => number;
  stop(): Promise<void>;
}

/**
 * Posts one fee after the other, each until it is acknowledged. Fails at any answer but 200 and 503 with `Retry-After`.
 */
export function startRetryingFeeClient(url: string, token: string, prefix: string): RetryingFeeClient {
  const recorded: string[] = [];
  let refused = 0;
  let isStopping = false;

  const persist = async (id: string): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const { status, headers, body } = await call(url, 'POST', '/api/fees', {
        token,
        body: { fees: [fee(id)] },
      });
      if (status === 200) {
        const [{ result }] = (body as { results: [{ result: string }] }).results;
        if (result !== 'recorded' && !(tries > 1 && result === 'unchanged'))
          throw new Error(`${id} was ${result} at try ${tries}`);
        recorded.push(id);
        return;
      }
      if (status !== 503 || !headers.get('retry-after'))
        throw new Error(`${id} was answered ${status}: ${JSON.stringify(body)}`);
      refused++;
    }
  };
  const post = async (): Promise<void> => {
    for (let n = 1; !isStopping; n++) {
      await persist(`${prefix}-${n}`);
      await sleep(PAUSE_MS);
    }
  };
  const posted = post();
  posted.catch(() => undefined);
  return {
    recorded,
    refused: () => refused,
    async stop() {
      isStopping = true;
      await posted;
    },
  };
}
