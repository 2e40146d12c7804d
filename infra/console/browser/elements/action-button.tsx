import { useState } from 'preact/hooks';
import { Problem } from './problem';
import { useCommand } from './use-command';

interface ActionButtonProps<Result> {
  readonly label: string;
  /** What cannot be taken back is asked about first. */
  readonly question?: string;
  send(key: string): Promise<Result>;
  done(result: Result): void;
}

/** A button that changes something, with what came of it. */
export function ActionButton<Result>({ label, question, send, done }: ActionButtonProps<Result>) {
  const [isAsking, setAsking] = useState(false);
  const { run, error, isRunning } = useCommand((_input: null, key) => send(key), done);
  const start = (): void => {
    setAsking(false);
    if (!isRunning) void run(null);
  };
  return (
    <span>
      {isAsking ? (
        <span role="group" aria-label={question}>
          {question}{' '}
          <button type="button" onClick={start}>
            Yes: {label.toLowerCase()}
          </button>{' '}
          <button type="button" onClick={() => setAsking(false)}>
            No
          </button>
        </span>
      ) : (
        <button
          type="button"
          aria-disabled={isRunning}
          onClick={() => (question ? setAsking(true) : start())}
        >
          {label}
        </button>
      )}
      <Problem error={error} />
    </span>
  );
}
