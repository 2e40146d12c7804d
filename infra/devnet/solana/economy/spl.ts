import type * as SplToken from '@solana/spl-token' with { 'resolution-mode': 'import' };

/** The SPL token library. It is typed as an ES module, which only a dynamic import may load from here. */
export type Spl = typeof SplToken;

const NO_NATIVE_PART = 'bigint: Failed to load bindings';

let loading: Promise<Spl> | undefined;

export function loadSpl(): Promise<Spl> {
  return (loading ??= load());
}

/**
 * While it loads, `bigint-buffer` below it tells the console that it does without its native part, which it is meant
 * to; there is no switch for it.
 */
async function load(): Promise<Spl> {
  /* eslint-disable no-console */
  const { warn } = console;
  console.warn = (...told: unknown[]): void => {
    if (!String(told[0]).startsWith(NO_NATIVE_PART)) warn.apply(console, told);
  };
  return import('@solana/spl-token').finally(() => {
    console.warn = warn;
  });
}
