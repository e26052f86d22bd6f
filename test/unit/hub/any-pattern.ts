import * as fc from 'fast-check'

const piece = fc.constantFrom(
  ...String.raw`a b ab a b é / / * * ** **/ /** *** ? . - ] ! \ \a \* \/`.split(' '),
  ...String.raw`[a] [!a] [^b] [a-c] []a] [ [a/b] [b-a] [a-] [[:] [\]a]`.split(' '),
  '[[:alpha:]]',
  '[[:none:]]',
)

/** Patterns of few letters and all wildcards, so that many match. */
export const anyPattern = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''))
  .filter((pattern) => !/^\/*$/.test(pattern))

export const anyPath = fc
  .array(
    fc
      .array(fc.constantFrom('a', 'b', 'a', 'b', 'é', '[', '*', '.', '-', ']', '!'), {
        minLength: 1,
        maxLength: 3,
      })
      .map((signs) => signs.join(''))
      .filter((name) => name !== '.' && name !== '..'),
    { minLength: 1, maxLength: 4 },
  )
  .map((names) => names.join('/'))
