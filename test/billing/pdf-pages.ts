import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The text of each page of a PDF, in the order in which it is drawn, as pdf.js reads it. */
export function pdfPages(pdf: Buffer): string[] {
  const read = execFileSync(process.execPath, [join(__dirname, 'read-pdf.js')], { input: pdf });
  return JSON.parse(read.toString()) as string[];
}
