import { Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** `total` may grow while the work goes on. */
  at(done: number, total: number): void;
  stop(): void;
}

/** A progress bar on stderr for people at a terminal; nothing where a program reads along. */
export function progressOn(label: string, options: { readonly json: boolean }): Progress {
  if (options.json || !process.stderr.isTTY) return { at: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    {
      format: `${label} {bar} {percentage}% | {value}/{total} | {eta_formatted}`,
      stream: process.stderr,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  let started = false;
  return {
    at(done, total) {
      if (!started) bar.start(total, done);
      started = true;
      bar.setTotal(total);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
