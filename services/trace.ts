import type { CommandMetadata } from '../contracts/decider';
import type { Position } from '../contracts/position';
import type { EventStore } from '../contracts/ports/event-store';
import { commandIdIn } from './handle';

/**
 * Where a command has been carried out before, by an attempt that was cut off: the position of its last event in the
 * stream. Null when it has left no event there, or cannot be known again.
 */
export async function traceOf(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  command: {
    readonly type: string;
    readonly metadata: CommandMetadata & { readonly commandId?: string };
  },
): Promise<Position | null> {
  const commandId = commandIdIn(command);
  if (commandId === null) return null;
  let position: Position | null = null;
  for await (const recorded of store.readStream(stream))
    if (recorded.metadata['commandId'] === commandId) ({ position } = recorded);
  return position;
}
