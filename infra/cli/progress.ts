import { Format, Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** `total` may grow while the work goes on. */
  at(done: number, total: number): void;
  stop(): void;
}

/** Between two lines when stderr is not a terminal. */
const LINE_INTERVAL_MS = 10_000;

/** A progress bar on stderr, or a line every few seconds in a log; nothing with `--json`. */
export function createProgress(label: string, options: { readonly json: boolean }): Progress {
  if (options.json) return { at: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    {
      format: `${label} {bar} {percentage}% | {value}/{total} | {eta_formatted}`,
      stream: process.stderr,
      hideCursor: true,
      noTTYOutput: true,
      notTTYSchedule: LINE_INTERVAL_MS,
      // Infinite until the remaining time can be estimated.
      formatTime: (time, options, roundedTo) =>
        Number.isFinite(time) ? Format.TimeFormat(time, options, roundedTo) : '…',
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
