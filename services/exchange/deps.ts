import type { Position } from '../../contracts/position';
import type { Views } from '../../projections/views';
import type { AnyCall } from '../http/call';
import type { CallerSource } from '../http/caller-source';
import type { Handle } from '../commands/handle';
import type { ExchangeOrder } from './order/state';
import type { CreateBody } from './order/request';
import type { RefreshOrder } from './tracking/refresh';

export interface ExchangeOrderDeps {
  readonly views: Pick<Views, 'expectReadable' | 'get' | 'find' | 'cached' | 'waitForPosition'>;
  readonly handle: Handle;
  readonly clock: () => Date;
  /** Orders an exchange from the partner. @throws Problem */
  create(
    body: CreateBody,
    caller: Pick<AnyCall, 'ip' | 'appendHeader'>,
  ): Promise<{ readonly order: ExchangeOrder; readonly position: Position }>;
  readonly refresh: RefreshOrder;
  readonly sourceOf: CallerSource;
  /** How long reads wait until they include a command. */
  readonly waitMs: number;
}
