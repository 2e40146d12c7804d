import { useState } from 'preact/hooks';
import { CommandKeys } from './command-keys';

export interface Running<Input> {
  readonly error: unknown;
  readonly isRunning: boolean;
  run(input: Input): Promise<void>;
}

/**
 * Runs a command. After a failure that leaves in doubt whether it was done, the same input has the same key again, so that it is done once.
 * @param done called with the answer
 */
export function useCommand<Input, Result>(
  send: (input: Input, key: string) => Promise<Result>,
  done: (result: Result) => void,
): Running<Input> {
  const [state, setState] = useState<{ error: unknown; isRunning: boolean }>({
    error: null,
    isRunning: false,
  });
  const [keys] = useState(() => new CommandKeys());
  const run = async (input: Input): Promise<void> => {
    setState({ error: null, isRunning: true });
    try {
      const result = await send(input, keys.keyOf(input));
      keys.succeeded();
      setState({ error: null, isRunning: false });
      done(result);
    } catch (error) {
      keys.failed(error);
      setState({ error, isRunning: false });
    }
  };
  return { ...state, run };
}
