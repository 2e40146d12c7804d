import { until } from '../until';

/** Enough for each scripted account to have sent something. */
const QUESTIONS = 20;

/** What the traffic of a local network asks before each transfer: no, until it is allowed. */
export function holdTraffic() {
  let asked = 0;
  let allowed = false;
  return {
    mayGrow(): boolean {
      asked++;
      return allowed;
    },
    untilAskedOften: () => until(() => asked > QUESTIONS),
    allow(): void {
      allowed = true;
    },
  };
}
