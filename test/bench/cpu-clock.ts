/** What some work has taken of the machine. */
export interface Taken {
  readonly seconds: number;
  /** Of all threads of this process: other programs do not change it much. */
  readonly cpuSeconds: number;
}

/** Starts a clock, @returns a function that reads it */
export function startClock(): () => Taken {
  const began = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - began) / 1_000, cpuSeconds: (user + system) / 1e6 };
  };
}
