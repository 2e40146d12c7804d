import { randomUUID } from 'node:crypto';
import type { PushSender } from '../../../contracts/ports/push-sender';

/** Sends nothing: every notification is recorded as it is claimed, and `tidemark push outbox` shows it. */
export function createOutbox(): PushSender {
  return {
    isOutbox: true,
    send: async messages => messages.map(() => ({ type: 'accepted', ticket: `outbox-${randomUUID()}` })),
    receipts: async () => new Map(),
    close: async () => undefined,
  };
}
