import type { Logger } from 'pino';
import type { SharedBudget } from '../../engines/request-budget/budget';
import type { Config } from '../../config/settings';

interface BudgetOptions {
  /** Whose requests: part of the key. */
  readonly of: string;
  readonly perSecond: number;
}

/** Where there is Redis, all processes of an instance have one budget; else undefined. */
export async function openSharedBudget(
  { config, logger }: { readonly config: Config; readonly logger: Logger },
  { of, perSecond }: BudgetOptions,
): Promise<(SharedBudget & { close(): Promise<void> }) | undefined> {
  const { REDIS_URL: url, INSTANCE_ID } = config;
  if (!url) return undefined;
  const { openRedisBudget } = await import('../../engines/request-budget/redis-budget.js');
  return openRedisBudget({ url, key: `tidemark:${of}:${INSTANCE_ID}`, perSecond, logger });
}
