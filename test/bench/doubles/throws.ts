import type { Row } from '../row';

/** A row that fails. */
export const row: Row = () => Promise.reject(new Error('no such thing'));
