import { join, relative, resolve } from 'node:path';

const fromSource = __filename.endsWith('.ts');
const root = fromSource ? join(__dirname, '..', '..') : join(__dirname, '..', '..', '..');
const dist = join(root, 'dist');

/**
 * Path of the JavaScript compiled from a source file of this repository, for worker threads and child
 * processes: also when the caller itself runs from source, as in jest.
 * @param file absolute, or relative to the root of the repository
 */
export function compiledPath(file: string): string {
  return join(dist, relative(fromSource ? root : dist, resolve(root, file)).replace(/\.ts$/, '.js'));
}
