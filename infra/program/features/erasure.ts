import { ERASURE_SETTINGS } from './erasure/personal-texts';
import type { Feature } from '../feature';

/** Personal text in events, readable until it is erased; the audit trail holds some. */
export const erasure: Feature = {
  name: 'erasure',
  settings: ERASURE_SETTINGS,
};
