import { isVisibleLine, visibleLine, withoutOverrides } from './visible-text';

it.each([
  ['nothing', ''],
  ['white space', ' \u00a0\u3000'],
  ['control characters', '\u0007\u0000'],
  ['a control character of Latin-1', 'a\u0085b'],
  ['two lines', 'a\nb'],
  ['a tab', 'a\tb'],
  ['a line separator', 'a\u2028b'],
  ['a paragraph separator', 'a\u2029b'],
  ['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff'],
  ['marks of a direction', '\u200e\u200f\u061c'],
  ['soft hyphens', '\u00ad'],
  ['fillers', '\u3164\u115f\u1160\uffa0\u17b4\u034f'],
  ['variation selectors and tags', '\ufe0f\u{e0100}\u{e0041}'],
  ['an empty braille pattern', '\u2800'],
  ['accents of no letter', '\u0301'],
  ['characters that are none', '\uffff\ufdd0'],
  ['a right-to-left override', 'invoice\u202egpj.exe'],
  ['a left-to-right override', '\u202dabc\u202c'],
  ['an embedding', '\u202babc'],
  ['an isolate', '\u2066abc\u2069'],
  ['half of a surrogate pair', 'a\ud800'],
])('%s is not one line of visible text', (_, text) => {
  expect(isVisibleLine(text)).toBe(false);
  expect(visibleLine(300).safeParse(text).error?.issues).toMatchObject([
    { message: 'must be one line of visible text' },
  ]);
});

it.each([
  ['letters', 'Café'],
  ['one digit', '7'],
  ['punctuation', '-'],
  ['a currency', '€'],
  ['an emoji of several characters', '👨‍👩‍👧'],
  ['a flag', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['an emoji with a selector', '❤️'],
  ['right to left, with a mark', 'שלום\u200f!'],
  ['joined letters', 'می‌خواهم'],
  ['accents after letters', 'e\u0301'],
  ['Hangul, Thai and Devanagari', '가 ที่ क्षि'],
  ['space around it', ' a '],
])('%s is one line of visible text', (_, text) => {
  expect(isVisibleLine(text)).toBe(true);
});

it('removes overrides, and nothing else', () => {
  expect(withoutOverrides('a\u202eb\u2066c\u200fd\n\u200de\u202c')).toBe('abc\u200fd\n\u200de');
});
