import { erasureCommands } from './erasure/commands';
import { ERASURE_SETTINGS } from './erasure/personal-texts';
import type { Feature } from '../feature';

/** Personal text in events, readable until it is erased; the audit trail holds some. */
export const erasure: Feature = {
  name: 'erasure',
  commands: erasureCommands,
  settings: ERASURE_SETTINGS,
};
