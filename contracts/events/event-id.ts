import { v5 } from 'uuid';

const NAMESPACE = '3c4d7f5e-0f0b-5a43-9d0e-6e1f7a1c2b58';

/**
 * The id of the n-th event that a command appends to a stream: a UUIDv5, so that a retried command appends the same ids,
 * which the event store recognises as an append it already has.
 */
export function eventId(commandId: string, stream: string, index: number): string {
  return v5(`${commandId}/${stream}/${index}`, NAMESPACE);
}
