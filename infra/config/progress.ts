import { Format, Presets, SingleBar } from 'cli-progress';

export interface Progress {
  /** `total` may grow while the work goes on. */
  at(done: number, total: number): void;
  /** The work is complete: 100 %, whatever was reported last. */
  complete(): void;
  /** Leaves the bar as it is. */
  stop(): void;
}

const NO_PROGRESS: Progress = { at: () => undefined, complete: () => undefined, stop: () => undefined };

/** A progress bar on stderr; nothing with `--json`, or where stderr is no terminal. */
export function createProgress(label: string, options: { readonly json: boolean }): Progress {
  if (options.json || !process.stderr.isTTY) return NO_PROGRESS;
  const bar = new SingleBar(
    {
      format: `${label} {bar} {percentage}% | {value}/{total} | {eta_formatted}`,
      stream: process.stderr,
      hideCursor: true,
      // Infinite until the remaining time can be estimated.
      formatTime: (time, options, roundedTo) =>
        Number.isFinite(time) ? Format.TimeFormat(time, options, roundedTo) : '…',
    },
    Presets.shades_classic,
  );
  let isShown = false;
  const stop = (): void => {
    if (isShown) bar.stop();
    isShown = false;
  };
  return {
    at(done, total) {
      if (!isShown) bar.start(total, done);
      isShown = true;
      bar.setTotal(total);
      bar.update(done);
    },
    complete() {
      if (isShown) bar.update(bar.getTotal());
      stop();
    },
    stop,
  };
}

/** Shows the progress of work: 100 % when it is complete, and where it was when it failed. */
export async function withProgress<Result>(
  label: string,
  options: { readonly json: boolean },
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = createProgress(label, options);
  try {
    const result = await work(progress);
    progress.complete();
    return result;
  } finally {
    progress.stop();
  }
}
