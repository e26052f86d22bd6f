import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { rooms } from '../../../server/tools/rooms.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

const develop = read('README.md').split('\n## Develop\n')[1] ?? ''
const documents = {
  'the README’s "Develop"': develop,
  CONTRIBUTING: read('.github/CONTRIBUTING.md'),
  SECURITY: read('.github/SECURITY.md'),
}

/** What is set as code, in a line or a block. */
const codeIn = (text: string) =>
  [...text.matchAll(/```\w*\n([^]*?)```|`([^`\n]+)`/g)].map(
    ([, block, word]) => block ?? word ?? '',
  )

describe.each(Object.entries(documents))('%s', (_name, text) => {
  test('names files and folders that are there', () => {
    const roomNames = rooms.map(({ name }) => name).join('|')
    const inRoom = new RegExp(String.raw`^(${roomNames})/[\w./-]+$`)
    const inTree = /^(server|renderer|electron|test|fixtures|\.github|\.ci)\/[\w./-]*$/
    const missing = codeIn(text).filter((word) =>
      inRoom.test(word)
        ? !existsSync(new URL(`server/${word}`, root))
        : inTree.test(word) && !existsSync(new URL(word, root)),
    )
    expect(missing).toEqual([])
  })

  test('names scripts that package.json has', () => {
    const wanted = codeIn(text).flatMap((code) =>
      [...code.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name),
    )
    expect(wanted.filter((name) => !(name in scripts))).toEqual([])
  })

  test('links to files that are there', () => {
    const here = text === develop ? root : new URL('.github/', root)
    const links = [...text.matchAll(/\]\((?!https:)([^)#]+)\)/g)].map(([, path = '']) => path)
    expect(links.filter((path) => !existsSync(new URL(path, here)))).toEqual([])
  })
})

test('CONTRIBUTING tells the floor that is held', () => {
  const [, lines, branches] = /lines: (\d+), branches: (\d+)/.exec(read('test/coverage.ts')) ?? []
  expect(documents.CONTRIBUTING).toContain(
    `${lines} % of the lines and ${branches} % of the branches`,
  )
})

describe('the issue forms', () => {
  interface Field {
    type: string
    id?: string
    attributes: { label?: string; description?: string; value?: string }
    validations?: { required: boolean }
  }
  interface Form {
    name: string
    description: string
    body: Field[]
  }
  const folder = '.github/ISSUE_TEMPLATE/'
  const forms = readdirSync(new URL(folder, root))
    .filter((name) => name !== 'config.yml')
    .map((name) => [name, parse(read(folder + name)) as Form] as const)

  test.each(forms)('%s is one that GitHub takes', (_name, { name, description, body }) => {
    expect(name && description).toBeTruthy()
    const fields = body.filter(({ type }) => type !== 'markdown')
    expect(fields.filter(({ type }) => type !== 'textarea' && type !== 'input')).toEqual([])
    expect(fields.filter(({ attributes }) => !attributes.label)).toEqual([])
    const ids = fields.map(({ id }) => id)
    expect(new Set(ids).size).toBe(fields.length)
    expect(fields.some(({ validations }) => validations?.required)).toBe(true)
  })

  test('a report of a fault brings what is needed to look into it', () => {
    const { body } = parse(read(`${folder}bug.yml`)) as Form
    const text = body.map(({ attributes }) => attributes.description ?? '').join('\n')
    for (const needed of [
      '--version',
      'node --version',
      'doctor',
      'Requests page',
      'snapshot export',
    ]) {
      expect(text).toContain(needed)
    }
  })
})
