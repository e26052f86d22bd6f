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
