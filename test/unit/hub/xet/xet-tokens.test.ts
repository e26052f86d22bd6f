import { expect, test } from 'vitest'
import { createXetTokens } from '../../../../server/hub/xet/xet-tokens.ts'

test('a storage that was moved has another id, and its URLs stay valid until a reset', () => {
  let made = 0
  const bytes = (length: number) => new Uint8Array(length).fill(made)
  const deps = { clock: { now: () => 0 }, ids: { of: () => ({ bytes }) } }
  const tokens = createXetTokens(deps as never, () => `storage-${++made}`)
  const part = { repo: 'repo', xorb: 'xorb', transfer: 'transfer', first: 0, last: 9 }
  expect(tokens.storage()).toBe('storage-1')
  const [url, era] = [tokens.sign(part), tokens.era()]
  tokens.move()
  expect(tokens.storage()).toBe('storage-2')
  expect(() => tokens.checkAddress(url)).not.toThrow()
  expect(tokens.era()).toBe(era)
  tokens.clear()
  expect(tokens.storage()).toBe('storage-3')
  expect(() => tokens.checkAddress(url)).toThrow('Invalid URL')
  expect(tokens.era()).not.toBe(era)
})
