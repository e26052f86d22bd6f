const plain = /^[\w./:@%+=,-]+$/

/**
 * Quotes a word for a shell, unless it has no special characters. Shells of Windows only know double quotes, without
 * backslashes.
 */
export function quoteWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return /^[\w./\\:@+=,-]+$/.test(text) ? text : `"${text}"`
  return plain.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Formats words as a shell command line. */
export function commandText(words: readonly string[], platform?: NodeJS.Platform): string {
  return words.map((word) => quoteWord(word, platform)).join(' ')
}
