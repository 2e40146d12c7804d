import { registerPush } from '../../contracts/http/push';
import { Problem } from '../../contracts/problem';
import { PUSH_DEVICES } from '../../projections/push/devices';
import type { Views } from '../../projections/views';
import { bind, type Binding } from '../http/binding';
import { registerDevice, type RegisterDeps } from './device/register';

export interface PushRouteDeps extends RegisterDeps {
  readonly views: Pick<Views, 'waitForPosition'>;
  readonly waitMs: number;
}

/**
 * The answer is the same whatever was registered for the token before, and names no position: nothing that was registered can be
 * read.
 */
export function pushRoutes(deps: PushRouteDeps): Binding[] {
  return [
    bind(registerPush, async call => {
      const { followed, ignored, position } = await registerDevice(deps, call.body, call);
      if (!(await deps.views.waitForPosition(PUSH_DEVICES.name, position, deps.waitMs)))
        throw Problem.unavailable('The device is registered, and not notified yet.', 1);
      return { ok: true as const, addresses: followed, ignored };
    }),
  ];
}
