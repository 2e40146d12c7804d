import { registerPush } from '../../contracts/http/push';
import { PUSH_DEVICES } from '../../projections/push/devices';
import type { Views } from '../../projections/views';
import { bind, type Binding } from '../http/binding';
import { registerDevice, type RegisterDeps } from './device/register';

export interface PushRouteDeps extends RegisterDeps {
  readonly views: Pick<Views, 'count' | 'getMany' | 'waitForPosition'>;
  readonly waitMs: number;
}

/**
 * The answer is the same whatever was registered for the token before, and names no position: nothing that was registered can
 * be read.
 */
export function pushRoutes(deps: PushRouteDeps): Binding[] {
  return [
    bind(registerPush, async call => {
      const { registered, notServed, ignored, position } = await registerDevice(deps, call.body, call);
      // What happens from now on is notified. It is registered in any case: when documents are behind, a moment later.
      await deps.views.waitForPosition(PUSH_DEVICES.name, position, deps.waitMs);
      return { ok: true as const, addresses: registered, ...(notServed > 0 && { notServed }), ignored };
    }),
  ];
}
