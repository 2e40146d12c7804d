import type { CommandMetadata } from '../../../contracts/decider';
import { pushDeviceStream } from '../../../contracts/events/push-device';
import type { Handle } from '../../commands/handle';
import { pushDeviceKind } from './decider';

/** Retires a device to which the sender cannot send. @param sentAt of what did not arrive; RFC 3339 UTC */
export async function retireUnregistered(
  handle: Handle,
  deviceId: string,
  sentAt: string,
  metadata: CommandMetadata,
): Promise<void> {
  await handle(pushDeviceKind, pushDeviceStream(deviceId), { type: 'retireUnregistered', sentAt, metadata });
}
