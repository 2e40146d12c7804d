import { join, relative, resolve } from 'node:path';

const fromSource = __filename.endsWith('.ts');
const root = fromSource ? join(__dirname, '..', '..') : join(__dirname, '..', '..', '..');
const dist = join(root, 'dist');

/**
 * The JavaScript that `tsc` made of a source file of this repository: what a worker thread or a child process must
 * be given, also when the caller itself runs from source, as under jest.
 * @param file absolute, or relative to the root of the repository
 */
export function compiled(file: string): string {
  return join(dist, relative(fromSource ? root : dist, resolve(root, file)).replace(/\.ts$/, '.js'));
}
