const plain = /^[\w./:@%+=,-]+$/

/**
 * A word as a shell takes it back: as it is where nothing in it is special. Windows' shells know double quotes alone,
 * and no backslash before them.
 */
export function quoteWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return /^[\w./\\:@+=,-]+$/.test(text) ? text : `"${text}"`
  return plain.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Words as one line for a shell. */
export function commandText(words: readonly string[], platform?: NodeJS.Platform): string {
  return words.map((word) => quoteWord(word, platform)).join(' ')
}
