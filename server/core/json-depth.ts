/**
 * Most nested objects and lists in input. The hub and the sandbox send far fewer, and recursion over a value overflows
 * the stack at a few thousand.
 */
export const deepestJson = 64

/** Input that is nested too deeply; 400 for a request. */
export class JsonDepthError extends Error {
  override readonly name = 'JsonDepthError'
  readonly statusCode = 400
  readonly code = 'json_too_deep'

  constructor(deepest = deepestJson) {
    super(`The JSON is nested more than ${deepest} levels deep, the limit.`)
  }
}

/**
 * Most values in the body of a request. Clients send less than half of this, and each value takes time and memory.
 */
export const mostJsonValues = 50_000
/** Most values in a request with a fixtures file, whose log may have many. */
export const mostImportValues = 120_000

/** Body of a request with too many values. */
class JsonSizeError extends Error {
  override readonly name = 'JsonSizeError'
  readonly statusCode = 400
  readonly code = 'json_too_large'

  constructor(mostValues: number) {
    super(`The JSON has more than ${mostValues} values, the limit.`)
  }
}

/**
 * Parses untrusted JSON.
 * @throws {JsonDepthError}
 * @throws {SyntaxError}
 */
export function parseShallowJson(text: string, deepest = deepestJson): unknown {
  assertShallowJson(text, deepest)
  return JSON.parse(text)
}

/**
 * Counts levels in a text and, if wanted, values before it is parsed.
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
    else if (character === ',' && ++values > mostValues) throw new JsonSizeError(mostValues)
  }
}

/**
 * Counts levels of a parsed value without recursion.
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
