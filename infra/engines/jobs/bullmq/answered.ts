import { EngineUnavailable } from '../../../../contracts/engine-unavailable';
import { within } from '../../with-timeout';

/** Milliseconds; more than a command of the client takes at most. */
const LIMIT = 8_000;

/** A transaction that Redis refuses says only so itself; why, is with the command that was refused. */
const reasonOf = (error: unknown): string => {
  const { previousErrors = [], message = String(error) } = error as {
    previousErrors?: readonly Error[];
    message?: string;
  };
  return previousErrors[0]?.message ?? message;
};

/** Asks Redis for something. @throws EngineUnavailable when it fails, or does not answer within 8 seconds */
export async function answered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const late = (): never => {
    throw new Error('no answer in time');
  };
  try {
    return await within(LIMIT, ask(), late);
  } catch (error) {
    throw new EngineUnavailable('jobs', reasonOf(error), { cause: error });
  }
}
