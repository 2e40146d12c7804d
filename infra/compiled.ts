import { join, relative } from 'node:path';

const fromSource = __filename.endsWith('.ts');
const root = fromSource ? join(__dirname, '..') : join(__dirname, '..', '..');
const dist = join(root, 'dist');

/**
 * The JavaScript that `tsc` made of a source file of this repository: what a worker thread or a child process must
 * be given, also when the caller itself runs from source, as under jest.
 */
export const compiled = (file: string): string =>
  join(dist, relative(fromSource ? root : dist, file).replace(/\.ts$/, '.js'));
