import { EngineUnavailable } from '../../../../contracts/engine-unavailable';

/** @throws EngineUnavailable when what was asked of Redis fails */
export async function answered<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    throw new EngineUnavailable('mailbox', (error as Error).message, { cause: error });
  }
}
