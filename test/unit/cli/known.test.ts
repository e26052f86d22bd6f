import { expect, test } from 'vitest'
import { withId } from '../../../server/cli/known.ts'
import { ControlError } from '../../../server/web/control-error.ts'

test.each([
  [1000, 'Known: id-0, id-1, id-2, id-3, id-4 and more.'],
  [5, 'Known: id-0, id-1, id-2, id-3, id-4.'],
  [1, 'Known: id-0.'],
])('the error about an unknown id among %i names at most five', async (count, said) => {
  const ids = Array.from({ length: count }, (_, index) => `id-${index}`)
  const deliveries = { what: 'delivery', ids: () => Promise.resolve(ids) }
  const refused = new ControlError(404, { error: 'not_found', message: 'Delivery not found' })
  await expect(withId('nope', deliveries, () => Promise.reject(refused))).rejects.toThrow(
    `Unknown delivery nope. ${said}`,
  )
})
