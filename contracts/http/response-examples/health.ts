import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  getHealthLive: { '1': { status: 'live' } },
  getHealthReady: { '1': { status: 'ready' } },
};
