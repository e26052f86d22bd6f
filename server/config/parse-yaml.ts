import { parseDocument } from 'yaml'

/**
 * Parses YAML of which only the data counts: core schema, no tags of its own, and few enough
 * aliases that a small file cannot grow into a huge value.
 */
export function parseYaml(text: string): { value: unknown } | { problem: string } {
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
