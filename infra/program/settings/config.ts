import type { z } from 'zod';
import type { Config } from '../../config/settings';
import { FEATURES } from '../features';
import { readConfigOf, settingsOf } from './read-config';

/** Every setting of the program and its features. `.env.example` documents each, which a test checks. */
export const SETTINGS: z.ZodRawShape = settingsOf(FEATURES);

/** Reads the settings from an environment. Empty counts as unset. @throws WrongSettings */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return readConfigOf(FEATURES, env);
}
