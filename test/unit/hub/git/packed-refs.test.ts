import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatPackedRefs, RefFiles } from '../../../../server/hub/git/packed-refs.ts'
import { collectGarbage } from '../../../helpers/collect-garbage.ts'
import { temporaryDirectory } from '../../../helpers/temporary-directory.ts'

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string]
const itself = (id: string) => id

describe('packed-refs (git-pack-refs)', () => {
  test('refs are sorted by their bytes, tag objects with their target', () => {
    const refs = {
      'refs/tags/v1': b,
      'refs/heads/main': a,
      'refs/heads/ä': c,
      'refs/heads/Z': c,
      'refs/pr/10': c,
      'refs/tags/plain': c,
    }
    expect(formatPackedRefs(refs, (id) => (id === b ? a : id))).toBe(
      [
        '# pack-refs with: peeled fully-peeled sorted ',
        `${c} refs/heads/Z`,
        `${a} refs/heads/main`,
        `${c} refs/heads/ä`,
        `${c} refs/pr/10`,
        `${c} refs/tags/plain`,
        `${b} refs/tags/v1`,
        `^${a}`,
        '',
      ].join('\n'),
    )
  })

  test('the file is written only when refs have moved or it is missing', () => {
    const place = temporaryDirectory()
    const folder = join(place, 'repo.git')
    mkdirSync(folder)
    let count = 0
    const files = new RefFiles(() => join(place, `new-${++count}`))
    const bring = (refs: Record<string, string>) => files.bring(folder, refs, itself)
    const text = () => readFileSync(join(folder, 'packed-refs'), 'utf8')
    const refs = { 'refs/heads/main': a }

    bring(refs)
    expect(text()).toContain(`${a} refs/heads/main\n`)
    const { ino } = statSync(join(folder, 'packed-refs'))
    bring(refs)
    bring({ ...refs })
    new RefFiles(() => join(place, 'never')).bring(folder, refs, itself)
    expect(statSync(join(folder, 'packed-refs')).ino).toBe(ino)

    bring({ 'refs/heads/main': b })
    expect(text()).toContain(`${b} refs/heads/main\n`)
    rmSync(join(folder, 'packed-refs'))
    bring({ 'refs/heads/main': b })
    expect(readdirSync(folder).toSorted()).toEqual(['packed-refs'])
    expect(readdirSync(place)).toEqual(['repo.git'])
    expect(statSync(join(folder, 'packed-refs')).mode & 0o777).toBe(0o600)
  })

  test('the file has no refs that the state dropped', async () => {
    const place = temporaryDirectory()
    const files = new RefFiles(() => join(place, 'new'))
    const bring = (at: number) => {
      const folder = join(place, `${at}.git`)
      mkdirSync(folder)
      const refs = { 'refs/heads/main': a }
      files.bring(folder, refs, itself)
      return new WeakRef(refs)
    }
    const brought = Array.from({ length: 100 }, (_, at) => bring(at))
    await collectGarbage()
    expect(brought.filter((refs) => refs.deref() !== undefined).length).toBeLessThan(10)
    expect(readFileSync(join(place, '7.git', 'packed-refs'), 'utf8')).toContain(a)
  })
})
