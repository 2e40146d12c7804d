import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { inTime } from '../contracts/retry/in-time';

/** Of the processor, also on a busy machine. */
const CPU_SECONDS = 5;
const TIMEOUT_MS = 60_000;
/** A picture of 4096 × 4096 takes a third of it. What a system without this limit (macOS) lets it take is not bounded. */
const DATA_KIB = 384 * 1024;

/** Draws the SVG on its standard input as a PNG, at most so many pixels a side. */
const PROGRAM = `
const [, sharpPath, pixels] = process.argv;
const sharp = require(sharpPath);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });
sharp.concurrency(1);
require('node:stream/consumers').buffer(process.stdin).then(async svg => {
  const limitInputPixels = 4096 * 4096;
  const { width, height } = await sharp(svg, { limitInputPixels }).metadata();
  const density = Math.min(Math.max((72 * pixels) / Math.max(width, height), 1), 100000);
  const png = await sharp(svg, { density, limitInputPixels })
    .resize(+pixels, +pixels, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer();
  process.stdout.write(png);
}).catch(() => process.exit(1));
`;

/**
 * The PNG of an SVG, at most `pixels` a side. Drawing one is running a program that anybody may have written, and takes as long as
 * it says: it has a process of its own, with nothing of ours in it, at a low priority, which ends after so many seconds of the
 * processor, and when it wants more memory than a picture needs. Other files are not loaded.
 * @throws Error for what cannot be drawn
 */
export async function drawnSvg(
  svg: Buffer,
  pixels: number,
  signal: AbortSignal,
  cpuSeconds = CPU_SECONDS,
  timeoutMs = TIMEOUT_MS,
): Promise<Buffer> {
  return inTime({ timeoutMs, signal }, async ending => draw(svg, pixels, ending, cpuSeconds));
}

async function draw(svg: Buffer, pixels: number, signal: AbortSignal, cpuSeconds: number): Promise<Buffer> {
  // Newer versions of Node reserve half a GiB for code that they compile, which counts as data.
  const node = [process.execPath, '--jitless'];
  const program = [...node, '-e', PROGRAM, require.resolve('sharp'), String(pixels)];
  const child = spawn(
    '/bin/sh',
    ['-c', `ulimit -t ${cpuSeconds}; ulimit -d ${DATA_KIB}; exec "$0" "$@"`, ...program],
    {
      env: { UV_THREADPOOL_SIZE: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
      signal,
      killSignal: 'SIGKILL',
    },
  );
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => (code === 0 ? resolve() : reject(new Error('the SVG cannot be drawn'))));
  });
  lowerPriority(child.pid);
  child.stdin.on('error', () => undefined).end(svg);
  const [png] = await Promise.all([buffer(child.stdout), ended]);
  return png;
}

/** Gives a process a low priority: on a busy machine it still gets a tenth of a core. One that has ended needs none. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended.
  }
}
