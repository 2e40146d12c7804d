/**
 * `building` a new version, or the first documents, beside the live generation; `standby` while another runner is
 * active; `retrying` after an error of a store; `stopped` by an error of the fold; `outdated` when the live documents
 * are of a newer version than this program has.
 */
export type RunnerState =
  'catching-up' | 'live' | 'building' | 'standby' | 'retrying' | 'stopped' | 'outdated';
