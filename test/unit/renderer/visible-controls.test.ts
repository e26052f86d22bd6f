import { expect, test } from 'vitest'
import { visibleControls } from '../../../renderer/lib/visible-controls.ts'

test('a character that reorders text is shown by its number', () => {
  expect(visibleControls('if (\u202Eadmin\u2066) \u05D0\n\t')).toBe(
    'if (\\u202eadmin\\u2066) \u05D0\n\t',
  )
})
