import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readPages } from '../../../server/cli/pages.ts'
import { listSamples } from '../../../server/cli/samples.ts'
import { documents, localLinks } from '../../helpers/documents.ts'
import { npm, outputOf, root } from '../../helpers/packed.ts'

let packed: readonly string[] = []
beforeAll(() => {
  const [{ files }] = JSON.parse(
    outputOf(npm(['pack', '--dry-run', '--ignore-scripts', '--json'], root)),
  ) as [{ files: { path: string }[] }]
  packed = files.map(({ path }) => path)
}, 60_000)

const isPacked = (target: string) => {
  const path = target.replace(/\/$/, '')
  return packed.some((file) => file === path || file.startsWith(`${path}/`))
}

describe('the package', () => {
  test('has no script that npm runs where the package is installed from a folder', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    for (const name of ['prepare', 'preinstall', 'install', 'postinstall']) {
      expect(scripts).not.toHaveProperty(name)
    }
  })

  test('has the files that its pages link to', () => {
    const pages = documents.filter(({ path }) => packed.includes(path))
    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['README.md', 'server/cli/README.md', 'test/recipes/README.md']),
    )
    const relative = pages.flatMap((page) =>
      localLinks(page)
        .filter(({ link }) => !/^\w+:/.test(link))
        .map(({ link, target }) => ({ page: page.path, link, target })),
    )
    expect(relative.length).toBeGreaterThan(60)
    expect(relative.filter(({ target }) => !isPacked(target))).toEqual([])
  })

  test('has the pages of the command line, under names that differ', () => {
    const pages = readPages(root)
    const names = pages.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(pages.filter(({ title }) => title === '')).toEqual([])
    // What only contributors read stays in the repository.
    const unpacked = pages.filter(({ path }) => !isPacked(path)).map(({ path }) => path)
    expect(unpacked.toSorted()).toEqual([
      'server/README.md',
      'test/README.md',
      'test/simulate/README.md',
    ])
  })

  test('has each sample, without its test and what an installation left', () => {
    const samples = listSamples(root)
    expect(samples.length).toBeGreaterThan(30)
    for (const { folder } of samples) {
      expect(isPacked(join(folder, 'README.md').slice(root.length))).toBe(true)
    }
    expect(isPacked('test/recipes/github-actions/.github/workflows/test.yml')).toBe(true)
    const strays = packed.filter((path) =>
      /^test\/.*(node_modules|package-lock|\.test\.ts)/.test(path),
    )
    expect(strays).toEqual([])
  })
})
