import { useCallback, useEffect, useState } from 'preact/hooks';

export interface Reading<Value> {
  /** The last one that was read. */
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly isReading: boolean;
  again(): void;
}

/** Reads when it is shown first, and whenever `of` changes. What was asked for before is ignored then. */
export function useRead<Value>(load: () => Promise<Value>, of: readonly unknown[]): Reading<Value> {
  const [state, setState] = useState<Omit<Reading<Value>, 'again'>>({
    value: undefined,
    error: null,
    isReading: true,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    setState(before => ({ ...before, isReading: true }));
    load().then(
      value => isCurrent && setState({ value, error: null, isReading: false }),
      (error: unknown) => isCurrent && setState(before => ({ ...before, error, isReading: false })),
    );
    return () => void (isCurrent = false);
  }, [...of, round]);
  const again = useCallback(() => setRound(last => last + 1), []);
  return { ...state, again };
}
