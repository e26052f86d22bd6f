import { expect, test } from 'vitest'
import { fitsPattern } from '../../../server/contract/fits-pattern.ts'

test.each([
  ['/api/*', '/api/', true],
  ['/api/*/*', '/api/models/tiny', true],
  ['*/*', '/', true],
  ['/aba*', '/ab', false],
  // No letter stands for two parts of a pattern.
  ['/aba*ba', '/aba', false],
  ['/aba*ba', '/ababa', true],
  ['/x*bc*cd', '/xbcd', false],
  ['/x*bc*cd', '/xbccd', true],
  ['/a*a*a', '/aa', false],
  ['*a*b*', 'ba', false],
])('%s fits %s: %s', (pattern, path, fits) => {
  expect(fitsPattern(pattern, path)).toBe(fits)
})
