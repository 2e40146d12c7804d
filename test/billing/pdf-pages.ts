import { execFileSync } from 'node:child_process';

/** A program of its own: pdf.js is an ES module, which jest does not load. */
const READER = `
import { buffer } from 'node:stream/consumers';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
const pdf = await getDocument({ data: new Uint8Array(await buffer(process.stdin)), verbosity: 0 }).promise;
const pages = [];
for (let n = 1; n <= pdf.numPages; n++) {
  const { items } = await (await pdf.getPage(n)).getTextContent();
  pages.push(items.map(({ str }) => str).join(''));
}
process.stdout.write(JSON.stringify(pages));
`;

/** The text of each page of a PDF, in the order in which it is drawn, as pdf.js reads it. */
export function pdfPages(pdf: Buffer): string[] {
  const read = execFileSync(process.execPath, ['--input-type=module', '--eval', READER], { input: pdf });
  return JSON.parse(read.toString()) as string[];
}
