/** A text in single quotes, as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** The same, where the shell would not take the text for one word as it is. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : shellQuote(text)
}
