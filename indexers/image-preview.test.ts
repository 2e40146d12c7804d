import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { decode } from 'blurhash';
import sharp from 'sharp';
import { sha256 } from '../contracts/encoding/sha256';
import { previewOf as previewFor } from './image-preview';

const previewOf = (bytes: Buffer, caller = '192.0.2.1') => previewFor(bytes, { caller });

const image = (width: number, height: number, background = '#2d7fb8') =>
  sharp({ create: { width, height, channels: 4, background } });
const decoded = async (preview: { webp: string }) => sharp(Buffer.from(preview.webp, 'base64')).metadata();

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

/** A PNG that says that it has so many pixels. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(4 * 1024 * 1024))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

it.each(['png', 'jpeg', 'webp', 'gif'] as const)('makes a preview of a %s', async format => {
  const preview = await previewOf(await image(600, 400).toFormat(format).toBuffer());
  expect(await decoded(preview)).toMatchObject({ format: 'webp', width: 256, height: 256 });
  expect(preview.digest).toBe(sha256(Buffer.from(preview.webp, 'base64')).toString('hex').slice(0, 32));
  const [red, green, blue] = decode(preview.blurhash, 1, 1);
  expect([red! < 80, green! > 80 && green! < 180, blue! > 150]).toEqual([true, true, true]);
});

it('does not enlarge a small image', async () => {
  const preview = await previewOf(await image(48, 48).png().toBuffer());
  expect(await decoded(preview)).toMatchObject({ width: 48, height: 48 });
});

it('turns an image as its metadata say, and keeps none of them', async () => {
  const photo = await image(40, 20)
    .jpeg()
    .withExif({ IFD0: { Copyright: 'taken at home' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const small = await previewOf(photo);
  expect(photo.includes('taken at home')).toBe(true);
  const { width, height, exif, orientation } = await decoded(small);
  expect([width, height, exif, orientation]).toEqual([20, 40, undefined, undefined]);
  expect(Buffer.from(small.webp, 'base64').includes('taken at home')).toBe(false);
});

it('keeps the first frame of an animation', async () => {
  const frames = await Promise.all(
    ['#ff0000', '#0000ff'].map(color => image(32, 32, color).png().toBuffer()),
  );
  const animation = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [50, 50] })
    .toBuffer();
  expect(await sharp(animation, { animated: true }).metadata()).toMatchObject({ pages: 2 });
  const preview = await previewOf(animation);
  expect((await decoded(preview)).pages).toBeUndefined();
  expect(decode(preview.blurhash, 1, 1)[0]).toBeGreaterThan(200);
});

it('keeps nothing of another file within an image', async () => {
  const polyglot = Buffer.concat([
    await image(64, 64).png().toBuffer(),
    Buffer.from('<script>alert(1)</script>PK\u0003\u0004'),
  ]);
  const preview = await previewOf(polyglot);
  expect(Buffer.from(preview.webp, 'base64').includes('script')).toBe(false);
});

it('shows what is transparent on white in the blurhash, as wallets do', async () => {
  const preview = await previewOf(await image(64, 64, '#00000000').png().toBuffer());
  expect([...decode(preview.blurhash, 1, 1)].slice(0, 3).every(part => part > 240)).toBe(true);
});

it('keeps an image small that cannot be compressed', async () => {
  const noise = sharp(randomBytes(256 * 256 * 4), { raw: { width: 256, height: 256, channels: 4 } });
  const preview = await previewOf(await noise.png().toBuffer()).catch(() => null);
  expect(Buffer.from(preview?.webp ?? '', 'base64').length).toBeLessThanOrEqual(48 * 1024);
  const opaque = sharp(randomBytes(256 * 256 * 3), { raw: { width: 256, height: 256, channels: 3 } });
  expect((await previewOf(await opaque.png().toBuffer())).webp.length).toBeLessThan(66_000);
});

it.each([
  ['an SVG', async () => Buffer.from(SVG)],
  ['an SVG after a declaration', async () => Buffer.from(`<?xml version="1.0"?>\n${SVG}`)],
  ['a TIFF', () => image(9, 9).tiff().toBuffer()],
  ['an AVIF', () => image(64, 64).avif().toBuffer()],
  ['a PDF', async () => Buffer.from('%PDF-1.7\n')],
  ['an HTML page', async () => Buffer.from('<!doctype html><p>Not found')],
  ['nothing', async () => Buffer.alloc(0)],
  ['an image that ends early', async () => (await image(600, 600).png().toBuffer()).subarray(0, 300)],
  ['10 gigapixels', async () => pngOf(100_000, 100_000)],
  ['more pixels than are decoded', async () => pngOf(4_097, 4_096)],
])('refuses %s', async (_what, bytes) => {
  await expect(previewOf(await bytes())).rejects.toThrow();
});

it('makes many at once', async () => {
  const one = await image(300, 300).png().toBuffer();
  const all = await Promise.all(Array.from({ length: 20 }, () => previewOf(one)));
  expect(new Set(all.map(({ digest }) => digest)).size).toBe(1);
});

describe('images that take much memory', () => {
  const large = (bits: 8 | 16, side: number): Promise<Buffer> =>
    image(side, side)
      .toColourspace(bits === 16 ? 'rgb16' : 'srgb')
      .png({ progressive: true })
      .toBuffer();

  it('are refused where their pixels take more than 64 MiB, and else decoded', async () => {
    const [deep, honest] = [await large(16, 4_096), await large(8, 4_096)];
    await expect(previewOf(deep)).rejects.toThrow('take more than 67108864 bytes');
    expect(await decoded(await previewOf(honest))).toMatchObject({ width: 256, height: 256 });
  });

  it('are decoded one at a time, by whomever they are sent', async () => {
    const heavy = await large(16, 2_048);
    let most = 0;
    const looks = setInterval(() => (most = Math.max(most, sharp.counters().process)), 1);
    const previews = await Promise.all([1, 2, 3].map(n => previewOf(heavy, `192.0.2.${n}`)));
    clearInterval(looks);
    expect(await Promise.all(previews.map(async each => (await decoded(each)).width))).toEqual([
      256, 256, 256,
    ]);
    expect(most).toBe(1);
  });

  it('of one caller delay one of another by one, of whatever size', async () => {
    const [heavy, medium] = [await large(16, 2_048), await image(1_400, 1_400).png().toBuffer()];
    const made: string[] = [];
    const make = async (caller: string, bytes: Buffer) => {
      await previewOf(bytes, caller);
      made.push(caller);
    };
    const strangers = Array.from({ length: 24 }, (_, n) => make('stranger', n % 2 === 0 ? heavy : medium));
    await Promise.all([...strangers, make('honest', heavy), make('another', medium)]);
    // On a busy machine some of the stranger's are decoded before the head of theirs is read.
    expect(made.indexOf('honest')).toBeLessThan(12);
    expect(made.indexOf('another')).toBeLessThan(12);
  });

  it('delay no small one that comes after them', async () => {
    const heavy = await large(16, 2_048);
    const small = await image(512, 512).png().toBuffer();
    const made: string[] = [];
    const make = async (name: string, bytes: Buffer) => {
      await previewOf(bytes);
      made.push(name);
    };
    // The sizes of two that come together may be known in either order.
    const before = [make('large 1', heavy), make('large 2', heavy)];
    await Promise.race(before);
    await Promise.all([...before, make('large 3', heavy), make('small', small)]);
    expect(made.at(-1)).toBe('large 3');
  });
});
