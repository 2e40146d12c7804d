import { createCallerSource, type CallerSource } from '../../../services/http/caller-source';
import type { Resource } from '../feature';
import { masterKey } from '../personal-texts';

/** Where calls come from, as all processes of the installation store it. */
export const callerSource: Resource<CallerSource> = {
  open: async ({ config, clock }) => createCallerSource(await masterKey(config), clock),
};
