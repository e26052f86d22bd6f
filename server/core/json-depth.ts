/**
 * Levels of objects and lists in what comes in. Nothing that the hub or the sandbox says comes near it, and what
 * works through a value level by level ends the process's stack at a few thousand.
 */
export const deepestJson = 64

/** A text or value from outside that is nested too deeply; 400 where it came by a request. */
export class JsonDepthError extends Error {
  override readonly name = 'JsonDepthError'
  readonly statusCode = 400
  readonly code = 'json_too_deep'

  constructor(deepest = deepestJson) {
    super(`The JSON is nested more than ${deepest} levels deep, which is the most.`)
  }
}

/** Values in the body of a request. Nothing that a client sends has a tenth of them, and each takes time and memory. */
export const mostJsonValues = 250_000

/** A text of a request that has too many values. */
class JsonSizeError extends Error {
  override readonly name = 'JsonSizeError'
  readonly statusCode = 400
  readonly code = 'json_too_large'

  constructor() {
    super(`The JSON has more than ${mostJsonValues} values, the limit.`)
  }
}

/**
 * Parses JSON from outside.
 * @throws {JsonDepthError}
 * @throws {SyntaxError}
 */
export function parseShallowJson(text: string, deepest = deepestJson): unknown {
  assertShallowJson(text, deepest)
  return JSON.parse(text)
}

/**
 * Counts levels in the text, and values if wanted, before it is parsed.
 * @throws {JsonDepthError}
 * @throws {JsonSizeError}
 */
export function assertShallowJson(
  text: string,
  deepest = deepestJson,
  mostValues = Infinity,
): void {
  let depth = 0
  let values = 1
  let inText = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (inText) {
      if (character === '\\') index += 1
      else if (character === '"') inText = false
    } else if (character === '"') inText = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > deepest) throw new JsonDepthError(deepest)
    } else if (character === '}' || character === ']') depth -= 1
    else if (character === ',' && ++values > mostValues) throw new JsonSizeError()
  }
}

/**
 * Counts levels of a value that was made elsewhere, without a call for each.
 * @throws {JsonDepthError}
 */
export function assertShallow(value: unknown, deepest = deepestJson): void {
  const open: [value: unknown, depth: number][] = [[value, 1]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [current, depth] = next
    if (typeof current !== 'object' || current === null) continue
    if (depth > deepest) throw new JsonDepthError(deepest)
    for (const member of Object.values(current)) open.push([member, depth + 1])
  }
}
