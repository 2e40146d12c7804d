import type { Engines } from '../engines/engines';
import type { Metrics } from './metrics';

/** The same engines, with the time of each append in the metrics. */
export function measured(engines: Engines, { appendSeconds }: Metrics): Engines {
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
