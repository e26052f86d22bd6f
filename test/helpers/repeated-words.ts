import { parseSync } from 'vite'

/** A closed list of words, by its name. */
export type Vocabulary = ReadonlyMap<string, readonly string[]>

export interface Repetition {
  line: number
  list: string
  words: string[]
}

type Node = Record<string, unknown> & { type: string; start: number }

/**
 * Finds where the words of a list are listed again: two or more of them in a union of literals, in a list, or in the
 * arguments of a call that makes a schema of them. A selection that the compiler holds against the list's type is none, as
 * long as it is not the whole list: the members of `Extract` and `Exclude`, a list whose element type is named, keys
 * of a table.
 */
export function findRepeatedWords(
  path: string,
  source: string,
  vocabulary: Vocabulary,
): Repetition[] {
  const found: Repetition[] = []
  const visit = (node: unknown, isChecked: boolean): void => {
    if (Array.isArray(node)) {
      for (const item of node) visit(item, isChecked)
      return
    }
    if (!isNode(node)) return
    const words = wordsOf(node)
    const held = isChecked && words !== undefined
    if (words !== undefined) {
      const line = source.slice(0, node.start).split('\n').length
      const list = repeatedList(words, vocabulary, held)
      if (list !== undefined) found.push({ line, list, words })
    }
    const inner = checksItsWords(node) || (isChecked && passesOn(node))
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'parent') visit(value, inner)
    }
  }
  visit(parseSync(path, source).program, false)
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** What a node lists: `undefined` when it is no list of texts alone. */
function wordsOf(node: Node): string[] | undefined {
  const members =
    node.type === 'TSUnionType'
      ? node['types']
      : node.type === 'ArrayExpression'
        ? node['elements']
        : undefined
  if (!Array.isArray(members)) return undefined
  const words = members.map(wordOf).filter((word) => word !== undefined)
  return words.length < 2 ? undefined : words
}

function wordOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined
  if (node.type === 'TSLiteralType') return wordOf(node['literal'])
  // Type.Literal('held')
  const { callee, arguments: given } = node as { callee?: unknown; arguments?: unknown }
  const isLiteral =
    node.type === 'CallExpression' &&
    isNode(callee) &&
    isNode(callee['property']) &&
    callee['property']['name'] === 'Literal'
  return isLiteral && Array.isArray(given) ? wordOf(given[0]) : undefined
}

/** @param isChecked the compiler knows which words there are, so that a selection of them is no list of its own */
function repeatedList(
  words: readonly string[],
  vocabulary: Vocabulary,
  isChecked: boolean,
): string | undefined {
  for (const [name, list] of vocabulary) {
    const same = list.filter((word) => words.includes(word))
    const isWhole = same.length === list.length
    // What shares but some words with a list, and has others, is of another language.
    const isOfIt = same.length === words.length || isWhole
    if (same.length >= 2 && isOfIt && (isWhole || !isChecked)) return name
  }
  return undefined
}

const checking = new Set(['Extract', 'Exclude', 'Pick', 'Omit', 'Set', 'ReadonlySet', 'Map'])

/** `Extract<State, …>`, `new Set<State>([…])`, `const open: readonly State[] = […]`, `[…] satisfies State[]` */
function checksItsWords(node: Node): boolean {
  const name = (of: unknown) => (isNode(of) && typeof of['name'] === 'string' ? of['name'] : '')
  switch (node.type) {
    case 'TSTypeReference':
      return checking.has(name(node['typeName']))
    case 'NewExpression':
      return checking.has(name(node['callee'])) && isNode(node['typeArguments'])
    case 'VariableDeclarator':
      return isNode(node['id']) && isNode(node['id']['typeAnnotation'])
    case 'TSSatisfiesExpression':
      return true
    default:
      return false
  }
}

/** Between what is checked and its words. */
function passesOn({ type }: Node): boolean {
  return [
    'TSTypeParameterInstantiation',
    'NewExpression',
    'ArrayExpression',
    'TSAsExpression',
    'ObjectExpression',
    'Property',
  ].includes(type)
}
