/** Formats a text as a sentence: a capital letter, except for a URL or a protocol name, and a full stop. */
export function wholeSentence(text: string): string {
  const isWord = /^[a-z]+(?=[\s,;]|:\s|$)/.test(text)
  const first = isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return /[.!?…]$/.test(first) ? first : `${first}.`
}
