export interface PrettyJson {
  /** Indented JSON, or the text itself if it is not JSON. */
  text: string
  error?: string
  line?: number
  column?: number
}

export function prettyJson(text: string): PrettyJson {
  if (!text.trim()) return { text: '' }
  try {
    return { text: JSON.stringify(JSON.parse(text), null, 2) }
  } catch (error) {
    // Nested deeper than the stack: valid, but not indented.
    if (error instanceof RangeError) return { text }
    if (!(error instanceof SyntaxError)) throw error
    return { text, error: error.message, ...position(text, error.message) }
  }
}

/** Position from the engine's message: `… at position 17`. */
function position(text: string, message: string): { line?: number; column?: number } {
  const offset = /position (\d+)/.exec(message)?.[1]
  if (offset === undefined) return {}
  const before = text.slice(0, Number(offset)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
