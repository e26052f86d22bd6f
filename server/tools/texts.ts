import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseAst } from 'vite'

// Prints the texts of the dashboard, each with its place, for a writer who goes over them.

export interface FoundText {
  line: number
  /** Values that are filled in are `{…}`. */
  text: string
}

interface Node {
  type: string
  start: number
  [member: string]: unknown
}

/** Attributes whose value nobody reads. */
const unread = new Set(['className', 'd', 'href', 'id', 'key', 'role', 'to', 'type', 'viewBox'])

/** Finds the texts that a source file of the dashboard shows. @param name decides how it is parsed */
export function textsOf(name: string, source: string): FoundText[] {
  const found: FoundText[] = []
  const add = (start: number, text: string) => {
    const shown = text.replaceAll(/\s+/g, ' ').trim()
    if (isProse(shown)) found.push({ line: source.slice(0, start).split('\n').length, text: shown })
  }
  const visit = (node: Node): void => {
    if (/^(?:Import|ExportAll|TS\w*Type)/.test(node.type)) return
    if (node.type === 'JSXAttribute' && unread.has(String((node['name'] as Node)['name']))) return
    if (node.type === 'JSXText') return add(skipSpace(source, node.start), String(node['value']))
    if (node.type === 'Literal' && typeof node['value'] === 'string') {
      return add(node.start, node['value'])
    }
    if (node.type === 'TemplateLiteral') {
      const parts = (node['quasis'] as { value: { cooked: string } }[]).map(
        ({ value }) => value.cooked,
      )
      add(node.start, parts.join('{…}'))
    }
    for (const member of Object.values(node)) {
      for (const inner of [member].flat()) if (isNode(inner)) visit(inner)
    }
  }
  visit(parseAst(source, { lang: name.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node)
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Text in JSX begins on the line before, where its element does. */
function skipSpace(source: string, start: number): number {
  return start + source.slice(start).search(/\S|$/)
}

/** Checks whether users read a text: it is not a list of classes, a name or a path. */
function isProse(text: string): boolean {
  if (!/[A-Za-z]{2}/.test(text)) return false
  const isClasses = /^[a-z\d:[\]/.!_%()&>*,#\s-]+$/.test(text) && /[a-z]-[a-z\d[]/.test(text)
  return (/[A-Za-z,.:] \S/.test(text) && !isClasses) || /^[A-Z][a-z]+(?:[.?…]|$)/.test(text)
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the texts of all files of the dashboard, as `file:line  text`. */
export function dashboardTexts(): string[] {
  return readdirSync(join(root, 'renderer'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('vite.config.ts'))
    .toSorted()
    .flatMap((name) =>
      textsOf(name, readFileSync(join(root, 'renderer', name), 'utf8')).map(
        ({ line, text }) => `renderer/${name}:${line}  ${text}`,
      ),
    )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(`${dashboardTexts().join('\n')}\n`)
}
