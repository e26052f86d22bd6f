import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** All that a user reads or copies. */
const places = [
  'README.md',
  '.github',
  'server',
  'renderer',
  'electron',
  'fixtures',
  'test/kits',
  'test/recipes',
]

const texts = places.flatMap((place) => {
  const path = join(root, place)
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules') && !name.includes('THIRD-PARTY'))
    .map((name) => join(path, name))
    .filter(
      (file) =>
        /\.(md|[cm]?[jt]sx?|ya?ml|json|sh|toml|py|go|html)$/.test(file) && statSync(file).isFile(),
    )
})

const linesOf = (pattern: RegExp) =>
  texts.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) =>
        pattern.test(line) ? [`${file.slice(root.length)}: ${line.trim()}`] : [],
      ),
  )

test('no text calls the command by an npx that would install a stranger\u2019s package', () => {
  expect(linesOf(/npx --no hub-sandbox/).length).toBeGreaterThan(20)
  expect(linesOf(/npx (?!--no )(--?[\w-]+ )*hub-sandbox|'npx', 'hub-sandbox'/)).toEqual([])
})

test('no text has an option where npx would take it for its own', () => {
  expect(linesOf(/npx --no hub-sandbox -/)).toEqual([])
})

test('a script that sets the variables stops if npx cannot start the command', () => {
  const lines = texts
    .filter((file) => /\.(sh|ya?ml)$/.test(file))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => /eval .*npx/.test(line))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    // npx of a folder without the package.
    const script = `npx() { echo 'npm error 404' >&2; return 1; }\nset -eu\n${line.trim()}\necho went on`
    const { status, stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
    expect({ line, status, stdout }).toEqual({ line, status: 1, stdout: '' })
  }
})
