import { posix } from 'node:path'
import { parseAst } from 'vite'

/** Sizes of the code that a budget limits. */
export interface Sizes {
  /** Lines of each room of the server, and of the other folders of the project. */
  readonly lines: Readonly<Record<string, number>>
  /** Exported names of each room that other rooms import. */
  readonly names: Readonly<Record<string, number>>
  /** Pairs of rooms of which one imports the other. */
  readonly arrows: number
  /** File names that occur more than once in the server. */
  readonly doubledNames: number
  /** Functions of more than 80 lines, without the functions inside of them. */
  readonly longFunctions: number
  /** Doc comments of each room that begin with a clause in place of a noun, per thousand. */
  readonly headless: Readonly<Record<string, number>>
}

/** Sizes, and what they count, for a person who looks for the cause. */
export interface Measured {
  readonly sizes: Sizes
  readonly doubled: readonly string[]
  /** File and first line of each long function. */
  readonly long: readonly string[]
}

const longestFunction = 80
/** Names that each folder of a thing may have. */
const commonNames: ReadonlySet<string> = new Set(['routes', 'control', 'control-view', 'view'])

/**
 * Measures the sources of the project.
 * @param files text by path, such as `server/hub/access/access.ts`
 */
export function measure(files: ReadonlyMap<string, string>): Measured {
  const paths = [...files.keys()].toSorted()
  const sources = paths.map((path) => ({ path, text: files.get(path) ?? '', room: roomOf(path) }))
  const server = sources.filter(({ path }) => path.startsWith('server/'))
  const parsed = server.map((file) => ({ ...file, tree: parse(file.text) }))
  const imports = parsed.flatMap(({ path, room, tree }) =>
    importsOf(tree, path).map(({ file, name }) => ({ from: room, to: roomOf(file), file, name })),
  )
  const across = imports.filter(({ from, to, file }) => from !== to && files.has(file))
  const doubled = repeated(
    server.map(({ path }) => posix.basename(path, '.ts')).filter((name) => !commonNames.has(name)),
  )
  const long = parsed.flatMap(({ path, text, tree }) =>
    longFunctionsOf(tree, text).map((line) => `${path}:${line}`),
  )
  return {
    sizes: {
      lines: sums(sources.map(({ room, text }) => [room, linesOf(text)])),
      names: sums(
        [...new Set(across.map(({ to, file, name }) => `${to} ${file} ${name}`))].map((one) => [
          one.slice(0, one.indexOf(' ')),
          1,
        ]),
      ),
      arrows: new Set(across.map(({ from, to }) => `${from} ${to}`)).size,
      doubledNames: doubled.length,
      longFunctions: long.length,
      headless: headlessByRoom(server),
    },
    doubled,
    long,
  }
}

/** `server/hub/access/access.ts` → `hub`; files at the top of `server/` → `entries` */
function roomOf(path: string): string {
  const [top = '', room = ''] = path.split('/')
  if (top !== 'server') return top
  return room.includes('.') ? 'entries' : room
}

function linesOf(text: string): number {
  return text.split('\n').length - 1
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

function parse(text: string): Node {
  return parseAst(text, { lang: 'ts' }) as unknown as Node
}

/** Returns the names that a file imports from files of the project; `*` for a whole module. */
function importsOf(tree: Node, path: string): { file: string; name: string }[] {
  return nodesOf(tree).flatMap((node) => {
    const source = (node['source'] as Node | null | undefined)?.['value']
    if (typeof source !== 'string' || !source.startsWith('.')) return []
    const file = posix.join(posix.dirname(path), source)
    const specifiers = (node['specifiers'] ?? []) as readonly Node[]
    const names = specifiers.map((one) => {
      const named = (one['imported'] ?? one['local']) as Node | undefined
      return one.type === 'ImportNamespaceSpecifier' ? '*' : nameOf(named)
    })
    return (names.length === 0 ? ['*'] : names).map((name) => ({ file, name }))
  })
}

function nameOf(identifier: Node | undefined): string {
  const name = identifier?.['name']
  return typeof name === 'string' ? name : '*'
}

const functionTypes: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])

const isFunction = ({ type }: Node) => functionTypes.has(type)

/**
 * Returns the first lines of functions that are too long. Functions inside of one count for themselves: a factory that
 * returns them, or a plugin that registers them, is read one function at a time.
 */
function longFunctionsOf(tree: Node, text: string): number[] {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const linesFrom = ({ start, end }: Node) => lineAt(end) - lineAt(start) + 1
  return nodesOf(tree)
    .filter(isFunction)
    .filter((node) => {
      if (linesFrom(node) <= longestFunction) return false
      const inside = nodesOf(Object.values(node), functionTypes).filter(isFunction)
      const theirs = inside.reduce((sum, one) => sum + linesFrom(one), 0)
      return linesFrom(node) - theirs > longestFunction
    })
    .map(({ start }) => lineAt(start))
}

/** @param closed types of nodes that are not looked into */
function nodesOf(tree: unknown, closed: ReadonlySet<string> = new Set()): Node[] {
  const found: Node[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value && typeof value.type === 'string') {
      found.push(value as Node)
      if (closed.has(value.type)) return
    }
    for (const member of Object.values(value)) visit(member)
  }
  visit(tree)
  return found
}

/** A doc comment that begins with a clause: "What the caller may read", "Those that are left". */
const headlessStart = /^(?:what|those|who|whose|which|that|how|where|when|all that)\b/i

function headlessByRoom(files: readonly { room: string; text: string }[]): Record<string, number> {
  const found = files.flatMap(({ room, text }) =>
    Array.from(text.matchAll(/\/\*\*\s*(?:\*\s*)?([^@\s*][^\n]*)/g), ([, start = '']) => ({
      room,
      isHeadless: headlessStart.test(start),
    })),
  )
  const rooms = [...new Set(found.map(({ room }) => room))].toSorted()
  return Object.fromEntries(
    rooms.map((room) => {
      const ofRoom = found.filter((one) => one.room === room)
      const headless = ofRoom.filter(({ isHeadless }) => isHeadless).length
      return [room, Math.round((1000 * headless) / ofRoom.length)]
    }),
  )
}

function sums(parts: readonly (readonly [name: string, number: number])[]): Record<string, number> {
  const total = new Map<string, number>()
  for (const [name, number] of parts) total.set(name, (total.get(name) ?? 0) + number)
  return Object.fromEntries([...total].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].toSorted()
}
