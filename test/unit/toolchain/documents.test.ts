import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { documents, localLinks } from '../../helpers/documents.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** Code in a document, inline or in blocks. */
const codeIn = (text: string) =>
  [...text.matchAll(/```\w*\n([^]*?)```|`([^`\n]+)`/g)].map(
    ([, block, word]) => block ?? word ?? '',
  )

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

/** The anchors of a page. */
function anchorsIn(text: string): Set<string> {
  const prose = text.replaceAll(/^```.*?^```/gms, '')
  return new Set([...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))
}

describe.each(documents.map((page) => [page.path, page] as const))('%s', (_path, page) => {
  test('names files and folders that are there', () => {
    const inTree = /^(server|renderer|electron|test|fixtures|\.github|\.ci)\/[\w./-]*$/
    const missing = codeIn(page.text).filter(
      (word) => inTree.test(word) && !existsSync(new URL(word, root)),
    )
    expect(missing).toEqual([])
  })

  test('names scripts that package.json has', () => {
    const wanted = codeIn(page.text).flatMap((code) =>
      [...code.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name),
    )
    expect(wanted.filter((name) => !(name in scripts))).toEqual([])
  })

  test('links to files and headings that exist', () => {
    const broken = localLinks(page).filter(({ target, anchor }) => {
      if (!existsSync(new URL(target, root))) return true
      if (anchor === undefined) return false
      const text = documents.find(({ path }) => path === target)?.text
      return text === undefined || !anchorsIn(text).has(anchor)
    })
    expect(broken).toEqual([])
  })
})

test('every page is linked from README.md or from a page that is', () => {
  const reached = new Set(['README.md'])
  for (const path of reached) {
    const page = documents.find((document) => document.path === path)
    if (page === undefined) continue
    for (const { target } of localLinks(page)) {
      reached.add(target)
      reached.add(posix.join(target, 'README.md'))
    }
  }
  const pages = documents.map(({ path }) => path).filter((path) => !path.includes('_template'))
  expect(pages.filter((path) => !reached.has(path))).toEqual([])
})

test('README.md is short', () => {
  const readme = read('README.md')
  expect(readme.split('\n').length).toBeLessThanOrEqual(250)
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(20 * 1024)
})

test('test/README.md tells the floor that is held', () => {
  const [, lines, branches] =
    /lines: (\d+), branches: (\d+)/.exec(read('test/vitest.config.ts')) ?? []
  const text = read('test/README.md').replaceAll(/\s+/g, ' ')
  expect(text).toContain(`${lines} % of the lines and ${branches} % of the branches`)
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
