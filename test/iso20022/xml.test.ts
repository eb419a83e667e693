import { describe, expect, test } from '@jest/globals';
import { parseXml, XmlError } from '../../src/iso20022/read.ts';
import { cut, element, inPieces, renderFile } from '../../src/iso20022/write.ts';

const SPACE = 'urn:test';
const file = (...children: Parameters<typeof element>[1][]) =>
  renderFile(
    element(
      'Document',
      children.map((content) => element('Text', content)),
      { xmlns: SPACE },
    ),
  );

describe('written XML', () => {
  test.each([
    ['markup', `<b>&amp; "quoted" 'so'</b> ]]>`],
    ['another script and an emoji', '市場 Été 🧾'],
    ['a line break', 'one\ntwo'],
  ])('is read back unchanged: %s', (_what, text) => {
    expect(parseXml(file(text), SPACE).textAt('Text')).toBe(text);
  });

  test.each([
    ['a control character', 'a\u0001b', 'a\ufffdb'],
    ['half of a surrogate pair', 'a\ud83eb', 'a\ufffdb'],
  ])('replaces %s, which XML does not allow', (_what, text, expected) => {
    expect(parseXml(file(text), SPACE).textAt('Text')).toBe(expected);
  });

  test('escapes attributes', () => {
    const root = parseXml(renderFile(element('Document', '', { xmlns: SPACE, note: `"<&>'` })), SPACE);
    expect(root.attribute('note')).toBe(`"<&>'`);
  });

  test('omits absent children', () => {
    const root = parseXml(renderFile(element('Document', [null, element('A', 'x')], { xmlns: SPACE })), SPACE);
    expect(root.children().map(({ name }) => name)).toEqual(['A']);
  });

  test('counts code points, and never cuts one in half', () => {
    expect(cut('🧾🧾🧾', 2)).toBe('🧾🧾');
    expect(inPieces('🧾🧾🧾', 2)).toEqual(['🧾🧾', '🧾']);
    expect(inPieces('', 2)).toEqual([]);
  });
});

describe('read XML', () => {
  test('is found by local name in the namespace of the file, with any prefix', () => {
    const root = parseXml(
      `<n:Document xmlns:n="${SPACE}" xmlns:o="urn:other"><o:Text>foreign</o:Text><n:Text> own </n:Text></n:Document>`,
      SPACE,
    );
    expect(root.textAt('Text')).toBe('own');
    expect(root.at('Text', 'Missing')).toBeUndefined();
  });

  test.each([
    [
      'a document type',
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document xmlns="${SPACE}">&e;</Document>`,
    ],
    ['another namespace', '<Document xmlns="urn:other"/>'],
    ['an end that is missing', `<Document xmlns="${SPACE}"><Text>`],
    ['text that is not XML', 'hello'],
    ['nothing', ''],
  ])('is refused with %s', (_what, text) => {
    expect(() => parseXml(text, SPACE)).toThrow(XmlError);
  });
});
