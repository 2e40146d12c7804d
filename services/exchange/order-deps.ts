import type { Views } from '../../projections/views';

export interface ExchangeOrderDeps {
  readonly views: Pick<Views, 'get' | 'find' | 'cached' | 'waitForPosition'>;
  /** How long reads wait until they include a command. */
  readonly waitMs: number;
}
