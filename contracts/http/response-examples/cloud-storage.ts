import type { ResponseExamples } from '../endpoint';

/** Recorded by `npm run record-examples`; not to be edited. */
export const examples: ResponseExamples = {
  storageRead: { '1': { ok: true, value: { seq: 1, value: 'c2VjcmV0' } } },
  storageWrite: { '1': { ok: true, updated: true, current: { seq: 1, value: 'c2VjcmV0' } } },
};
