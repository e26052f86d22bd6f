import { mkdirSync, readdirSync } from 'node:fs'
import { keys } from './held-keys.js'
import { useSandbox } from 'hub-sandbox/testing'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

const hub = useSandbox({}, { afterAll, beforeAll, beforeEach })
const started = new URL('started/', import.meta.url)

test('starts beside three others, without a key', async () => {
  mkdirSync(new URL(`${process.pid}/`, started), { recursive: true })
  await vi.waitFor(() => expect(readdirSync(started)).toHaveLength(4), { timeout: 60_000 })
  keys.release()
}, 90_000)

test.each(Array.from({ length: 10 }, (_, index) => index + 1))('%i: signs in', async () => {
  const { scope, id_token: idToken } = await hub.sandbox.signIn({ user: 'alice', scope: 'openid' })
  expect(scope).toBe('openid')
  expect(idToken?.split('.')).toHaveLength(3)
})

test('needed one key', () => expect(keys.begun).toBe(1))
