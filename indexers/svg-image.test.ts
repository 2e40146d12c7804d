import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { temporaryFolder } from '../test/temporary-folder';
import { drawnSvg } from './svg-image';

const { signal } = new AbortController();
const svg = (content: string, size = 'width="4" height="4"'): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`,
  );
const RED = '<rect width="4" height="4" fill="#ff0000"/>';
const pixelOf = async (png: Buffer) => [
  ...(await sharp(png).extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer()),
];

it('draws a small SVG as large as asked, and a large one no larger', async () => {
  for (const size of ['viewBox="0 0 4 4"', 'width="4" height="4"', 'width="4000" height="4000"']) {
    const png = await drawnSvg(svg(RED, size), 64, signal);
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
  }
  expect(await pixelOf(await drawnSvg(svg(RED), 64, signal))).toEqual([255, 0, 0, 255]);
});

it('reads no file and no server that an SVG names', async () => {
  let requests = 0;
  const server = createServer((_request, response) => response.end(String(requests++))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const folder = temporaryFolder();
  const file = join(folder, 'red.png');
  writeFileSync(
    file,
    await sharp({ create: { width: 4, height: 4, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer(),
  );
  const urls = [`file://${file}`, file, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`];
  for (const url of urls) {
    const drawn = await drawnSvg(svg(`<image width="4" height="4" xlink:href="${url}"/>`), 4, signal);
    expect([url, (await pixelOf(drawn))[3]]).toEqual([url, 0]);
  }
  expect(requests).toBe(0);
  server.close();
});

it.each([
  ['no SVG', randomBytes(64)],
  ['an endless one', svg(RED, 'width="1e9" height="1e9"')],
  ['one that is cut off', svg(RED).subarray(0, 120)],
  ['nothing', Buffer.alloc(0)],
])('refuses %s', async (_what, bytes) => {
  await expect(drawnSvg(bytes, 64, signal)).rejects.toThrow();
});

it('ends what would take hours to draw, and draws the next one', async () => {
  const uses = Array.from(
    { length: 8 },
    (_, at) => `<g id="a${at + 1}">${`<use xlink:href="#a${at}"/>`.repeat(10)}</g>`,
  );
  const bomb = svg(
    `<defs><rect id="a0" width="4" height="4"/>${uses.join('')}</defs><use xlink:href="#a8"/>`,
  );
  await expect(drawnSvg(bomb, 512, signal, 1)).rejects.toThrow();
  expect(await sharp(await drawnSvg(svg(RED), 4, signal)).metadata()).toMatchObject({ width: 4 });
});

it('ends what wants gigabytes, and draws the next one', async () => {
  const pattern = '<pattern id="p" width="30000" height="30000" patternUnits="userSpaceOnUse">';
  const bomb = svg(`<defs>${pattern}${RED}</pattern></defs><rect width="512" height="512" fill="url(#p)"/>`);
  await expect(drawnSvg(bomb, 512, signal, 600)).rejects.toThrow('the SVG cannot be drawn');
  expect(await sharp(await drawnSvg(svg(RED), 4, signal)).metadata()).toMatchObject({ width: 4 });
});

it('ends with the read that it belongs to', async () => {
  const stop = new AbortController();
  const drawing = drawnSvg(svg(RED), 64, stop.signal);
  stop.abort();
  await expect(drawing).rejects.toThrow();
});
