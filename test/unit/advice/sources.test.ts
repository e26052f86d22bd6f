import { expect, test } from 'vitest'
import { rfc } from '../../../server/advice/rule.ts'

test('a source links to the section or the appendix of an RFC', () => {
  expect(rfc(6749, '10.14').url).toBe('https://www.rfc-editor.org/rfc/rfc6749#section-10.14')
  expect(rfc(6749, 'A.11').url).toBe('https://www.rfc-editor.org/rfc/rfc6749#appendix-A.11')
})
