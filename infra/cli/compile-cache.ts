import module from 'node:module';
import { join } from 'node:path';

/** Since Node 22.8. */
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };

/**
 * Keeps what V8 has compiled beside the compiled program, so that the next start takes a sixth less processor time. A folder that
 * cannot be written is no error. Threads read the variable.
 */
export function useCompileCache(): void {
  if (!enableCompileCache) return;
  const folder = join(__dirname, '..', '..', '.compile-cache');
  process.env['NODE_COMPILE_CACHE'] ??= folder;
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}
