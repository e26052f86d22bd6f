import { describe, expect, test } from 'vitest'
import { budgetOf, lowered, overruns } from '../../../server/tools/size/budget.ts'
import { measure } from '../../../server/tools/size/measure.ts'

const files = (entries: Record<string, string>) => new Map(Object.entries(entries))
const sizesOf = (entries: Record<string, string>) => measure(files(entries)).sizes

describe('the sizes of the code', () => {
  test('count lines by room, and by folder outside of the server', () => {
    const { lines } = sizesOf({
      'server/hub/a.ts': 'const a = 1\nexport { a }\n',
      'server/hub/files/b.ts': 'export const b = 1\n',
      'server/cli.ts': 'export {}\n',
      'test/unit/a.test.ts': '\n\n\n',
    })
    expect(lines).toEqual({ hub: 3, entries: 1, test: 3 })
  })

  test('count each name once that another room imports', () => {
    const { names, arrows } = sizesOf({
      'server/hub/a.ts': 'export const one = 1\nexport type Two = 2\n',
      'server/hub/b.ts': "import { one } from './a.ts'\nexport const three = one\n",
      'server/http/c.ts':
        "import { one, type Two } from '../hub/a.ts'\nexport const c: Two = one + 1\n",
      'server/http/d.ts': "import { one as uno } from '../hub/a.ts'\nexport const d = uno\n",
      'server/git/e.ts': "export { three } from '../hub/b.ts'\n",
      'server/lab/f.ts': "export const load = () => import('../hub/b.ts')\n",
    })
    expect(names).toEqual({ hub: 4 })
    expect(arrows).toBe(3)
  })

  test('name files with the name of another, and long functions', () => {
    const body = Array.from({ length: 80 }, (_none, index) => `  f(${index})`).join('\n')
    const { doubled, long } = measure(
      files({
        'server/hub/tokens.ts': 'export {}\n',
        'server/oauth/tokens.ts': 'export {}\n',
        'server/hub/routes.ts': 'export {}\n',
        'server/oauth/routes.ts': 'export {}\n',
        'server/core/long.ts': `\nexport function f(n: number) {\n${body}\n}\n`,
        'server/core/factory.ts': `export function f() {\n  return () => {\n${body.slice(body.indexOf('\n') + 1).replace(/(.*\n){2}/, '')}\n  }\n}\n`,
        'server/core/short.ts': `export function f(n: number) {\n${body.slice(body.indexOf('\n') + 1).replace(/.*\n/, '')}\n}\n`,
      }),
    )
    expect(doubled).toEqual(['tokens'])
    expect(long).toEqual(['server/core/long.ts:2'])
  })

  test('count doc comments that begin with a clause', () => {
    const { headless } = sizesOf({
      'server/hub/a.ts':
        '/** What is left. */\nexport const a = 1\n/** Names. */\nexport const b = 1\n',
    })
    expect(headless).toEqual({ hub: 500 })
  })
})

describe('the budget', () => {
  const small = sizesOf({ 'server/hub/a.ts': 'export const a = 1\n' })
  const large = sizesOf({
    'server/hub/a.ts': 'export const a = 1\n'.repeat(150),
    'server/http/b.ts': "import { a } from '../hub/a.ts'\nexport const b = a\n",
  })

  test('rounds lines up to hundreds', () => {
    expect(budgetOf(large).lines).toEqual({ hub: 200, http: 100 })
    expect(overruns(large, budgetOf(large))).toEqual([])
  })

  test('is overrun by whatever grows, and by what it does not know', () => {
    expect(overruns(large, budgetOf(small)).map(({ what }) => what)).toEqual([
      'lines of http',
      'lines of hub',
      'names of hub',
      'arrows between rooms',
    ])
  })

  test('falls with the code', () => {
    expect(lowered(budgetOf(large), small)).toEqual(budgetOf(small))
    expect(lowered(budgetOf(small), large).lines).toEqual({ hub: 100, http: 0 })
  })
})
