import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useRead, type Reading } from '../elements/use-read';

interface Changes {
  /** Differs after each change, the own ones and those that the stream tells of. */
  readonly version: string;
  /** To be called after an own change. */
  changed(): void;
}

export const CardChanges = createContext<Changes>({ version: '', changed: () => undefined });

/** Reads what the card service has, again after each change. */
export function useLive<Value>(load: () => Promise<Value>, of: readonly unknown[] = []): Reading<Value> {
  return useRead(load, [useContext(CardChanges).version, ...of]);
}

export function useChanged(): () => void {
  return useContext(CardChanges).changed;
}
