import type { EngineName } from './engine-unavailable';

/**
 * Stored data is not as it was written, as after a fault of a disk. Only what is damaged cannot be read; a retry does not
 * help.
 */
export class DamagedData extends Error {
  override readonly name: string = 'DamagedData';
  constructor(
    readonly engine: EngineName,
    /** The damaged part, such as `position 12` or `topic/3 offset 40`. */
    readonly at: string,
    /** Of the damaged event, if it is one. */
    readonly position: number | null = null,
    options?: ErrorOptions,
  ) {
    super(`${engine}: damaged: ${at}`, options);
  }
}
