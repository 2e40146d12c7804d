import { imageIn, imageType } from './image-type';

const typeOf = (text: string) => imageType(Buffer.from(text));

it.each([
  ['alone', '<svg>'],
  ['with attributes', '<SVG width="4">'],
  [
    'after a mark of its encoding, a declaration, comments and a document type',
    '\ufeff <?xml version="1.0"?>\n<!-- a --><!----> <!-- --x -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN">\n<svg >',
  ],
])('an SVG is one %s', (_, text) => expect(typeOf(text)).toBe('svg'));

it.each([
  ['a text', 'svg'],
  ['an element that begins like one', '<svgx>'],
  ['a comment that does not end', '<!-- <svg>'],
  ['one that declares entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg>'],
  ['one that follows other elements', '<p><svg>'],
  ['one that follows another declaration', '<?xml?><?xml?><svg>'],
])('%s is none', (_, text) => expect(typeOf(text)).toBeNull());

it('whatever somebody writes is looked at once: comments, spaces and beginnings of them', () => {
  // An expression that tried every way to tell comments from each other would not end before the test does.
  for (const part of ['<!---->', '<!-- -->', '<!--', '-->', ' ', '<?xml', '<!DOCTYPE', '\ufeff'])
    for (const end of ['', 'x', '<svg']) expect(imageIn(Buffer.from(part.repeat(1_000) + end))).toBeNull();
});
