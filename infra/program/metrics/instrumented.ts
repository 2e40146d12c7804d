import type { Engines } from '../../engines/engines';
import type { Metrics } from './metrics';

/** The same engines, with the duration of each append in the metrics. */
export function instrumented(engines: Engines, { appendSeconds }: Metrics): Engines {
  const { store } = engines;
  return {
    ...engines,
    store: {
      ...store,
      async append(...append) {
        const ended = appendSeconds.startTimer();
        const appended = await store.append(...append);
        ended();
        return appended;
      },
    },
  };
}
