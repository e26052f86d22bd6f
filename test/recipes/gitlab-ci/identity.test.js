import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whoIs } from './identity.js'

test('knows who has a token', async () => {
  assert.equal(await whoIs('hf_sandbox_alice'), 'alice')
})

test('takes no token that there is not', async () => {
  await assert.rejects(whoIs('hf_sandbox_nobody'), /refuses the token: 401/)
})
