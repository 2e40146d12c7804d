/** Milliseconds after which what was read from outside is read again. */
const OLD = 10_000;

/** True for what was read long ago or never. */
export const isOld = (observed: { readonly at: string } | null, now: number): boolean =>
  observed === null || now - Date.parse(observed.at) > OLD;
