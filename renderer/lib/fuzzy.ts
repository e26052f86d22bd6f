/**
 * Ranks a match, the best as 0: all words of the query begin words of the label, begin words of it or the further words,
 * occur in them, or only their letters do. `undefined`: no match.
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

/** Tells whether each word of the query begins a word of the text, or its letters occur in that order. */
export function fuzzyMatch(query: string, text: string): boolean {
  const haystack = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word) || isSubsequence(word, haystack))
}

function isSubsequence(letters: string, text: string): boolean {
  // Two letters occur in order in nearly every text.
  if (letters.length < 3) return false
  let from = 0
  for (const letter of letters) {
    const index = text.indexOf(letter, from)
    if (index === -1) return false
    from = index + 1
  }
  return true
}
