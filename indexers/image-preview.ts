import { encode } from 'blurhash';
import type { ResizeOptions, Sharp } from 'sharp';
import { PREVIEW_PIXELS, type AppPreview } from '../contracts/chain/app-metadata';
import { sha256 } from '../contracts/encoding/sha256';
import { createFairSemaphore } from '../contracts/fair-semaphore';

const MAX_PIXELS = 4_096 * 4_096;
const MEBIBYTE = 2 ** 20;
/** Of all pixels: interlaced and progressive images, and some formats, are decoded as a whole, with half as much again beside it. */
const MAX_PIXEL_BYTES = 64 * MEBIBYTE;
/** An image with more is decoded while no other is. */
const MAX_SHARED_BYTES = 16 * MEBIBYTE;
/** An image with no more, as most icons, waits for none that is larger. */
const MAX_SMALL_BYTES = 4 * MEBIBYTE;
const MAX_SECONDS = 10;
const MAX_BYTES = 48 * 1024;
/** The first that yields no more than that. */
const QUALITIES = [80, 50, 20] as const;
const BLURHASH_PIXELS = 32;
const BLURHASH_COMPONENTS = 4;

const READING = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 } as const;

/** Formats whose decoders are few, old and fuzzed. SVG is none of them: it is a program, which `drawnSvg` runs elsewhere. */
const DECODERS = [
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
];

/** Decoding takes memory, and a thread of those that file and name lookups of the process wait for. */
const AT_A_TIME = 2;
/** As many wait as reads of tokens and applications run, which are bounded. */
const decoding = createFairSemaphore({ maxConcurrent: AT_A_TIME, maxWaiting: Infinity });
const decodingSmall = createFairSemaphore({ maxConcurrent: 1, maxWaiting: Infinity });

let loading: ReturnType<typeof load> | undefined;

async function load() {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: DECODERS });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

/** As libvips calls them; of others it has more. */
const DEPTH_BYTES: Readonly<Record<string, number>> = { uchar: 1, ushort: 2 };
const MAX_DEPTH_BYTES = 8;

/** Who has an image decoded: callers take turns, each with its oldest image. */
interface AskedImage {
  readonly caller: string;
  /** An image that still waits when it fires is not decoded. */
  readonly signal?: AbortSignal;
}

/**
 * Runs once the memory that the image takes is free, and it is the turn of the caller.
 * @throws Error for one that takes too much; the reason of the signal
 */
async function withMemory<T>(
  sharp: Awaited<ReturnType<typeof load>>,
  image: Buffer,
  { caller, signal }: AskedImage,
  decode: () => Promise<T>,
): Promise<T> {
  const { width, height, channels, depth } = await sharp(image, READING).metadata();
  const bytes = width * height * channels * (DEPTH_BYTES[depth] ?? MAX_DEPTH_BYTES);
  if (bytes > MAX_PIXEL_BYTES)
    throw new Error(`the pixels of the image take more than ${MAX_PIXEL_BYTES} bytes`);
  if (bytes <= MAX_SMALL_BYTES) return decodingSmall.run({ caller }, decode, signal);
  return decoding.run({ caller, weight: bytes > MAX_SHARED_BYTES ? AT_A_TIME : 1 }, decode, signal);
}

/**
 * Decodes an image of a stranger and encodes it again: what is not a pixel of its first frame (metadata, scripts, other files)
 * is gone. What is larger than `PREVIEW_PIXELS` on both sides becomes a square of that size; nothing is enlarged.
 * @throws Error for what is no PNG, JPEG, WebP or GIF, has too many pixels, or is damaged; the reason of the signal
 */
export async function previewOf(image: Buffer, asked: AskedImage): Promise<AppPreview> {
  const sharp = await (loading ??= load());
  return withMemory(sharp, image, asked, async () => {
    const square = await resized(sharp, image, PREVIEW_PIXELS, 'cover');
    const webp = await encoded(() => sharp(square));
    const { data, info } = await sharp(square)
      .resize(BLURHASH_PIXELS, BLURHASH_PIXELS, { fit: 'fill' })
      .flatten({ background: '#ffffff' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return {
      blurhash: encode(
        new Uint8ClampedArray(data),
        info.width,
        info.height,
        BLURHASH_COMPONENTS,
        BLURHASH_COMPONENTS,
      ),
      digest: sha256(webp).subarray(0, 16).toString('hex'),
      webp: webp.toString('base64'),
    };
  });
}

/**
 * As `previewOf` decodes and encodes it, the WebP of an image that no side of is longer than so many pixels; nothing is cut off.
 * @throws Error as `previewOf`
 */
export async function webpOf(image: Buffer, pixels: number, asked: AskedImage): Promise<Buffer> {
  const sharp = await (loading ??= load());
  return withMemory(sharp, image, asked, async () => {
    const small = await resized(sharp, image, pixels, 'inside');
    return encoded(() => sharp(small));
  });
}

/** The pixels of its first frame, as a PNG. */
const resized = (
  sharp: Awaited<ReturnType<typeof load>>,
  image: Buffer,
  pixels: number,
  fit: NonNullable<ResizeOptions['fit']>,
): Promise<Buffer> =>
  sharp(image, READING)
    .timeout({ seconds: MAX_SECONDS })
    .autoOrient()
    .resize(pixels, pixels, { fit, withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 0 })
    .toBuffer();

async function encoded(image: () => Sharp): Promise<Buffer> {
  for (const quality of QUALITIES) {
    const webp = await image().webp({ quality, alphaQuality: quality }).toBuffer();
    if (webp.length <= MAX_BYTES) return webp;
  }
  throw new Error(`the preview has more than ${MAX_BYTES} bytes`);
}
