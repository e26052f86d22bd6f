/**
 * Ranks a match, the best as 0: all words of the query begin words of the label, begin words of it or the further words,
 * occur in them, or only begin them in turn. `undefined`: no match.
 */
export function matchRank(query: string, label: string, further = ''): number | undefined {
  const text = `${label} ${further}`
  if (beginWords(query, label)) return 0
  if (beginWords(query, text)) return 1
  const haystack = text.toLowerCase()
  if (wordsOf(query).every((word) => haystack.includes(word))) return 2
  return fuzzyMatch(query, text) ? 3 : undefined
}

function beginWords(query: string, text: string): boolean {
  const known = wordsOf(text)
  return wordsOf(query).every((word) => known.some((each) => each.startsWith(word)))
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}+]+/u)
    .filter(Boolean)
}

/** Two letters begin some two words of most texts. */
const fewest = 3

/** Tells whether each word of the query occurs in the text, or is made of the beginnings of its words, in their order. */
export function fuzzyMatch(query: string, text: string): boolean {
  const haystack = text.toLowerCase()
  const known = wordsOf(text)
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word) || (word.length >= fewest && beginInTurn(word, known)))
}

/** Tells whether letters are the beginnings of some words, in their order. */
function beginInTurn(letters: string, [word, ...others]: readonly string[]): boolean {
  if (letters === '') return true
  if (word === undefined) return false
  let shared = 0
  while (shared < letters.length && letters[shared] === word[shared]) shared += 1
  for (let taken = shared; taken > 0; taken -= 1) {
    const rest = letters.slice(taken)
    if (beginInTurn(rest, others)) return true
  }
  return beginInTurn(letters, others)
}
