import { useRef, useState } from 'preact/hooks';
import { Refusal } from '../refusal';

/** Of a command and all its repetitions. Not `randomUUID`, which pages without TLS do not have. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('');
}

const SERVER_ERROR = 500;

/** Whether the command may have been done all the same. */
function isInDoubt(error: unknown): boolean {
  return !(error instanceof Refusal) || error.problem.status >= SERVER_ERROR;
}

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
  const inDoubt = useRef<{ readonly input: string; readonly key: string } | null>(null);
  const run = async (input: Input): Promise<void> => {
    const text = JSON.stringify(input) ?? '';
    const key = inDoubt.current?.input === text ? inDoubt.current.key : newKey();
    setState({ error: null, isRunning: true });
    try {
      const result = await send(input, key);
      inDoubt.current = null;
      setState({ error: null, isRunning: false });
      done(result);
    } catch (error) {
      inDoubt.current = isInDoubt(error) ? { input: text, key } : null;
      setState({ error, isRunning: false });
    }
  };
  return { ...state, run };
}
