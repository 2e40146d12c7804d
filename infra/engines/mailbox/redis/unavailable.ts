import { EngineUnavailable } from '../../../../contracts/engine/engine-unavailable';

/** @throws EngineUnavailable when the command fails */
export async function asUnavailable<Reply>(command: Promise<Reply>): Promise<Reply> {
  try {
    return await command;
  } catch (error) {
    throw new EngineUnavailable('mailbox', (error as Error).message, { cause: error });
  }
}
