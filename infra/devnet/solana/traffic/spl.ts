import type * as SplToken from '@solana/spl-token' with { 'resolution-mode': 'import' };

/** The SPL token library. Its types are those of an ES module, which requires a dynamic import here. */
export type Spl = typeof SplToken;

const NO_NATIVE_BINDING = 'bigint: Failed to load bindings';

let loading: Promise<Spl> | undefined;

export function loadSpl(): Promise<Spl> {
  return (loading ??= load());
}

/**
 * While it loads, its dependency `bigint-buffer` warns on the console that it has no native binding, as intended; the
 * warning cannot be switched off.
 */
async function load(): Promise<Spl> {
  /* eslint-disable no-console */
  const { warn } = console;
  console.warn = (...values: unknown[]): void => {
    if (!String(values[0]).startsWith(NO_NATIVE_BINDING)) warn.apply(console, values);
  };
  return import('@solana/spl-token').finally(() => {
    console.warn = warn;
  });
}
