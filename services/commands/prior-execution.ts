import type { CommandMetadata } from '../../contracts/decider';
import type { Position } from '../../contracts/position';
import type { EventStore } from '../../contracts/ports/event-store';
import { commandIdIn } from './handle';

/**
 * Where an interrupted attempt has already executed a command: the position of its last event in the stream. Null when
 * there is none, or the command has no id.
 */
export async function findPriorExecution(
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
