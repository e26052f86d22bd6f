import { type CST, parseDocument, Parser } from 'yaml'
import { deepestJson } from '../core/json-depth.ts'

/**
 * Parses YAML of which only the data counts: core schema, no tags of its own, and few enough
 * aliases that a small file cannot grow into a huge value.
 */
export function parseYaml(text: string): { value: unknown } | { problem: string } {
  if (isTooDeep(text)) return { problem: `it is nested more than ${deepestJson} levels deep` }
  const document = parseDocument(text, { schema: 'core', uniqueKeys: true, merge: false })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem !== undefined) return { problem: problem.message }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) }
  } catch (error) {
    // The only thing that is thrown here: too many aliases.
    return { problem: (error as Error).message }
  }
}

/** Looks at the tokens, which are read without recursion; a document is made of them with it. */
function isTooDeep(text: string): boolean {
  const open: [token: CST.Token | null | undefined, depth: number][] = []
  for (const token of new Parser().parse(text)) open.push([token, 0])
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [token, depth] = next
    if (depth > deepestJson) return true
    if (token?.type === 'document') open.push([token.value, depth])
    else if (token !== null && token !== undefined && 'items' in token) {
      for (const { key, value } of token.items) open.push([key, depth + 1], [value, depth + 1])
    }
  }
  return false
}
