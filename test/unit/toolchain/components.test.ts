import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../renderer/', import.meta.url))

/** More than this tells two stories. */
const mostLines = 119

interface Component {
  name: string
  lines: number
}

/** The functions of a module whose names begin as those of components do, with their lengths. */
function componentsIn(source: string): Component[] {
  const found: Component[] = []
  let open: { name: string; from: number } | undefined
  for (const [index, line] of source.split('\n').entries()) {
    const name = /^(?:export )?function ([A-Z]\w*)/.exec(line)?.[1]
    if (name !== undefined) open = { name, from: index }
    // The formatter puts what closes a function, and nothing else of it, alone on a line.
    if (open === undefined || line !== '}') continue
    found.push({ name: open.name, lines: index - open.from + 1 })
    open = undefined
  }
  return found
}

describe('components of the dashboard', () => {
  const components = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx'))
    .flatMap((path) =>
      componentsIn(readFileSync(`${folder}${path}`, 'utf8')).map(
        ({ name, lines }) => [path, name, lines] as const,
      ),
    )

  test('all of them are found', () => {
    const names = components.map(([, name]) => name)
    expect(names).toContain('DeliveriesPage')
    expect(names).toContain('WebhookDialog')
    expect(names).toContain('Question')
    expect(components.length).toBeGreaterThan(150)
  })

  test(`none is longer than ${mostLines} lines`, () => {
    const long = components.filter(([, , lines]) => lines > mostLines)
    expect(long.map(([path, name, lines]) => `${path}: ${name} has ${lines} lines`)).toEqual([])
  })

  test('a long one is measured from its first line to its last, whatever stands between', () => {
    const body = Array.from({ length: 130 }, () => '  use()').join('\n')
    const source = `interface Props {\n}\n\nexport function Long<T>({\n  a,\n}: {\n  a: T\n}) {\n${body}\n}\n\nfunction Short() {\n}\n`
    expect(componentsIn(source)).toEqual([
      { name: 'Long', lines: 136 },
      { name: 'Short', lines: 2 },
    ])
  })
})
