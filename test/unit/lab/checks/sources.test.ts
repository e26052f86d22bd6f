import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rules } from '../../../../server/lab/checks/check-catalog.ts'
import { rfc } from '../../../../server/lab/checks/rule.ts'

test('a source links to the section or the appendix of an RFC', () => {
  expect(rfc(6749, '10.14').url).toBe('https://www.rfc-editor.org/rfc/rfc6749#section-10.14')
  expect(rfc(6749, 'A.11').url).toBe('https://www.rfc-editor.org/rfc/rfc6749#appendix-A.11')
})

test('a link to a document of the project leads to the section that it names', () => {
  const own = rules
    .flatMap(({ sources }) => sources)
    .filter(({ url }) => url.includes('/hub-sandbox/blob/main/'))
  expect(own.length).toBeGreaterThan(0)
  for (const { section, url } of own) {
    const file = url.replace(/^.*\/blob\/main\/|#.*$/g, '')
    const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')
    expect(text).toMatch(new RegExp(`^#+ ${section}$`, 'm'))
  }
})
