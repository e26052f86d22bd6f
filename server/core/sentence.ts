/** Begins as a sentence does, unless with an address or a name of the protocol, which have their own letters, and ends as one. */
export function wholeSentence(text: string): string {
  const isWord = /^[a-z]+(?=[\s,;]|:\s|$)/.test(text)
  const first = isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return /[.!?…]$/.test(first) ? first : `${first}.`
}
