const process = require('node:process');
const { buffer } = require('node:stream/consumers');

/** Writes the text of each page of the PDF on stdin as JSON: a program of its own, since jest loads no ES modules. */
async function main() {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const pdf = await getDocument({ data: new Uint8Array(await buffer(process.stdin)), verbosity: 0 }).promise;
  const pages = [];
  for (let n = 1; n <= pdf.numPages; n++) {
    const { items } = await (await pdf.getPage(n)).getTextContent();
    pages.push(items.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join(''));
  }
  process.stdout.write(JSON.stringify(pages));
}

void main();
