/** Strings kept for sharing: as many as a hundred rows have. */
const mostStrings = 500

/** Longer ones are bodies and messages, which seldom repeat. */
const longestString = 200

const kept = new Map<string, string>()

/** Rows nest less; what is deeper is the user's own data. */
const deepest = 6

/**
 * Replaces equal strings in a parsed response by one copy, in place. Rows repeat ids, names and paths, and `JSON.parse`
 * makes a new string of each: a thousand rows that stay loaded hold a thousand copies.
 */
export function shareStrings<T>(value: T): T {
  share(value, deepest)
  return value
}

function share(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'string') Reflect.set(value, key, copyOf(item))
    else share(item, depth - 1)
  }
}

function copyOf(text: string): string {
  if (text.length > longestString) return text
  const known = kept.get(text)
  if (known !== undefined) return known
  // Those that do repeat are back after one row.
  if (kept.size >= mostStrings) kept.clear()
  kept.set(text, text)
  return text
}
