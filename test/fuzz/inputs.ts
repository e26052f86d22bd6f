import * as fc from 'fast-check'

/** Characters that some reader gives a meaning to, and some that hardly any expects. */
const special = fc.constantFrom(
  ...Array.from('"\'\\/?#&=;:,.@%+-_*~<>[]{}()|$!` \t\r\n\0\u00a0\u2028\ufeff\ud800\udc00é😀İ０'),
  '__proto__',
  'constructor',
  '..',
  '%00',
  '%2f',
  '%',
  '\r\n',
  '://',
)

/** A short text; words are of the reader's own language. */
export function text(...words: readonly string[]): fc.Arbitrary<string> {
  const pieces = [fc.string({ maxLength: 8 }), special, fc.string({ unit: 'binary', maxLength: 4 })]
  const piece =
    words.length === 0 ? fc.oneof(...pieces) : fc.oneof(fc.constantFrom(...words), ...pieces)
  return fc.oneof(
    { weight: 8, arbitrary: fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: long(piece) },
  )
}

/** Long texts of what repeats: a reader that looks back takes for ever. */
function long(piece: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(piece, piece, fc.integer({ min: 100, max: 20_000 }), piece)
    .map(([start, part, times, end]) => (start + part.repeat(times)).slice(0, 60_000) + end)
}

/** JSON, with names that an object of its own has anyway. */
export const json = fc.jsonValue({ maxDepth: 4 })

/** A JSON text, whole, cut or changed. */
export const jsonText: fc.Arbitrary<string> = fc.oneof(
  json.map((value) => JSON.stringify(value)),
  fc.tuple(json, fc.nat(200)).map(([value, end]) => JSON.stringify(value).slice(0, end)),
  text('{', '}', '[', ']', '"', ':', ',', '"__proto__":', '1e999', 'null'),
  fc.integer({ min: 1, max: 40_000 }).map((depth) => '['.repeat(depth)),
)
