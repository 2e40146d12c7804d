import { setImmediate } from 'node:timers/promises';
import { openSync, type Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import type { Statement } from './statement';

const REGULAR = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const BOLD = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

/** In points. A4 is 595 by 842. */
const MARGIN = 50;
const LABEL_WIDTH = 126;
const SIZE = 9;
const TABLE_SIZE = 7;
const GAP = 6;
/** Of the width of a table: what columns of amounts leave to the others. */
const MIN_TEXT_SHARE = 0.35;

const REPLACEMENT = '\uFFFD';
const NOTE = `${REPLACEMENT} stands for a character that the font of this document does not have.`;

/** Hebrew, Arabic and other scripts that are written from right to left. */
const RTL = '\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC';
const RIGHT_TO_LEFT = new RegExp(`[${RTL}]`);

/**
 * With a list of features a line is laid out as one run, in the direction of its script; otherwise word by word, and faster.
 */
const layoutOf = (text: string): { features?: [] } => (RIGHT_TO_LEFT.test(text) ? { features: [] } : {});

const BEGINS_RIGHT_TO_LEFT = new RegExp(`^\\P{L}*[${RTL}]`, 'u');

/** A number, words of other scripts with what is between them, or a bracket. */
const LETTER = `(?![${RTL}])\\p{L}`;
const NOT_REVERSED = new RegExp(
  `(\\p{Nd}+(?:[.,:/-]\\p{Nd}+)*|${LETTER}(?:[^${RTL}]*(?:${LETTER}|\\p{Nd}))?)|[()[\\]{}<>«»]`,
  'gu',
);
const BRACKETS = '()[]{}<>«»';

/**
 * A line that begins with letters from right to left is drawn in reverse as a whole: its numbers and words of other scripts
 * are reversed before, and its brackets mirrored.
 */
export function reversible(text: string): string {
  if (!BEGINS_RIGHT_TO_LEFT.test(text)) return text;
  return text.replace(NOT_REVERSED, (part, words?: string) =>
    words === undefined ? BRACKETS[BRACKETS.indexOf(part) ^ 1]! : Array.from(words).reverse().join(''),
  );
}

/** Rows that are laid out before other requests have their turn. */
const ROWS_AT_ONCE = 10;

/**
 * The PDF of a statement: the same bytes each time. Characters that the font does not have, such as Chinese ones, are
 * replaced visibly, and a note says so; the CSV has them.
 */
export async function statementPdf(statement: Statement): Promise<Buffer> {
  const { title, changedAt, fields, details } = statement;
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    font: REGULAR,
    // The id of the file derives from these too.
    info: { Title: title, Producer: 'Tidemark', CreationDate: new Date(changedAt) },
  });
  const bytes = collect(doc);
  const page = new StatementPage(doc);
  page.title(title);
  for (const [label, value] of fields) page.field(label, value);
  await page.table(statement);
  for (const [label, value] of details) page.field(label, value);
  page.end();
  return bytes;
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
}

/** Both fonts have the same characters, but for a few. */
let glyphs: Font | undefined;

/** The text with a replacement for each character without a glyph. */
export function drawable(text: string): string {
  glyphs ??= openSync(BOLD) as Font;
  return Array.from(text, character =>
    glyphs!.hasGlyphForCodePoint(character.codePointAt(0)!) ? character : REPLACEMENT,
  ).join('');
}

class StatementPage {
  #y = MARGIN;
  #isReplaced = false;

  constructor(private readonly doc: PDFKit.PDFDocument) {}

  get #bottom(): number {
    return this.doc.page.height - MARGIN - 2 * SIZE;
  }

  get #width(): number {
    return this.doc.page.width - 2 * MARGIN;
  }

  title(text: string): void {
    this.doc.font(BOLD).fontSize(2 * SIZE);
    this.#row([{ text, x: MARGIN, width: this.#width }]);
    this.#y += 2 * GAP;
  }

  field(label: string, value: string): void {
    this.doc.font(REGULAR).fontSize(SIZE);
    const x = MARGIN + LABEL_WIDTH;
    this.#row([
      { text: label, x: MARGIN, width: LABEL_WIDTH - GAP },
      { text: value, x, width: this.#width - LABEL_WIDTH },
    ]);
  }

  /** The header is repeated on each page; the sums come last. */
  async table({ columns, rows, total }: Statement): Promise<void> {
    this.#y += 2 * GAP;
    const widths = this.#widthsOf({ columns, rows: [...rows, total] });
    const cellsOf = (texts: readonly string[]): Cell[] => {
      let x = MARGIN;
      return columns.map(({ isAmount }, n) => {
        const cell: Cell = {
          text: texts[n]!,
          x,
          width: widths[n]! - GAP,
          align: isAmount ? 'right' : 'left',
        };
        x += widths[n]!;
        return cell;
      });
    };
    const header = (): void => {
      this.doc.font(BOLD).fontSize(TABLE_SIZE);
      this.#row(cellsOf(columns.map(({ label }) => label)));
      this.doc.font(REGULAR);
    };
    header();
    for (const [n, row] of rows.entries()) {
      if (n % ROWS_AT_ONCE === 0) await setImmediate();
      this.#row(cellsOf(row), header);
    }
    this.doc.font(BOLD);
    this.#row(cellsOf(total), header);
    this.#y += 2 * GAP;
  }

  /** Columns of amounts are as wide as the widest of them, if others are left enough; those are broken into lines. */
  #widthsOf({ columns, rows }: Pick<Statement, 'columns' | 'rows'>): readonly number[] {
    this.doc.font(REGULAR).fontSize(TABLE_SIZE);
    const declared = columns.map(({ share }) => share * this.#width);
    const needed = columns.map(({ isAmount }, n) =>
      isAmount
        ? rows.reduce((most, row) => Math.max(most, this.doc.widthOfString(row[n]!) + GAP), declared[n]!)
        : 0,
    );
    const left = this.#width - needed.reduce((sum, width) => sum + width);
    if (left < MIN_TEXT_SHARE * this.#width) return declared;
    const ofTexts = declared.reduce((sum, width, n) => (columns[n]!.isAmount ? sum : sum + width), 0);
    return declared.map((width, n) => (columns[n]!.isAmount ? needed[n]! : (width / ofTexts) * left));
  }

  /** The note on replaced characters, and the numbers of the pages. */
  end(): void {
    const { doc } = this;
    if (this.#isReplaced) {
      doc.font(REGULAR).fontSize(TABLE_SIZE);
      this.#y += GAP;
      this.#row([{ text: NOTE, x: MARGIN, width: this.#width }]);
    }
    const { count } = doc.bufferedPageRange();
    for (let n = 0; n < count; n++) {
      doc.switchToPage(n);
      const y = doc.page.height - MARGIN - SIZE;
      doc.font(REGULAR).fontSize(TABLE_SIZE);
      doc.text(`${n + 1} / ${count}`, MARGIN, y, { width: this.#width, align: 'right', lineBreak: false });
    }
    doc.end();
  }

  /**
   * Draws cells beside each other, on a new page when they do not fit. An amount is never broken: one that is wider than its
   * column has a line of its own below the others, and ends where its column does.
   */
  #row(cells: readonly Cell[], onNewPage: () => void = () => undefined): void {
    const { doc } = this;
    const drawn = cells.map(cell => ({ ...cell, text: reversible(this.#replaced(cell.text)) }));
    const isWide = ({ text, width, align }: Cell): boolean =>
      align === 'right' && doc.widthOfString(text) > width;
    const lines = [
      drawn.filter(cell => !isWide(cell)),
      ...drawn.filter(isWide).map(cell => [{ ...cell, x: MARGIN, width: cell.x + cell.width - MARGIN }]),
    ];
    const heights = lines.map(line =>
      Math.max(0, ...line.map(({ text, width }) => doc.heightOfString(text, { width, ...layoutOf(text) }))),
    );
    if (this.#y + heights.reduce((sum, height) => sum + height) > this.#bottom) {
      doc.addPage();
      this.#y = MARGIN;
      onNewPage();
    }
    for (const [n, line] of lines.entries()) {
      for (const { text, x, width, align = 'left' } of line)
        doc.text(text, x, this.#y, { width, align, ...layoutOf(text) });
      this.#y += heights[n]!;
    }
    this.#y += GAP / 2;
  }

  #replaced(text: string): string {
    const replaced = drawable(text);
    this.#isReplaced ||= replaced !== text;
    return replaced;
  }
}

interface Cell {
  readonly text: string;
  readonly x: number;
  readonly width: number;
  readonly align?: 'left' | 'right';
}
