import { erasureCommands } from './erasure/commands';
import type { Feature } from '../feature';

/** Erases the personal texts of somebody: events have them, and the audit trail. */
export const erasure: Feature = {
  name: 'erasure',
  commands: erasureCommands,
};
