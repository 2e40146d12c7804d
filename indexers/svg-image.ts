import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';

const TIMEOUT_MS = 10_000;

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
 * The PNG of an SVG, at most `pixels` a side. Drawing one is running a program that anybody may have written, and takes as long as it
 * says: it has a process of its own, with nothing of ours in it, which ends after `TIMEOUT_MS`. Other files are not loaded.
 * @throws Error for what cannot be drawn
 */
export async function drawnSvg(svg: Buffer, pixels: number, signal: AbortSignal): Promise<Buffer> {
  const child = spawn(process.execPath, ['-e', PROGRAM, require.resolve('sharp'), String(pixels)], {
    env: { UV_THREADPOOL_SIZE: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => (code === 0 ? resolve() : reject(new Error('the SVG cannot be drawn'))));
  });
  child.stdin.on('error', () => undefined).end(svg);
  const [png] = await Promise.all([buffer(child.stdout), ended]);
  return png;
}
