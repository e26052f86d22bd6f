import { beforeAll, describe, expect, test } from 'vitest'
import { commandLineWorld } from '../helpers/command-line.ts'

const { run, start } = commandLineWorld()
const patience = 60_000

let url: string
beforeAll(async () => {
  url = (await start(['--ephemeral'])).sandbox.url
})

/** What the demo prints, with `--yes` in place of a user. */
async function play(flow: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(['demo', flow, '--yes', '--url', url, ...args]).ended
  expect({ code, failure: code === 0 ? '' : stderr }).toEqual({ code: 0, failure: '' })
  return stdout
}

describe(
  'a demo plays a whole flow, each request as it is on the wire',
  { timeout: patience },
  () => {
    test('a sign-in with PKCE, to the claims of the user it is for', async () => {
      const shown = await play('sign-in', '--user', 'bob')
      expect(shown).toMatch(/GET \S+\/oauth\/authorize\?\S*code_challenge_method=S256/)
      const [, state] = /[?&]state=([\w-]+)/.exec(shown) ?? []
      expect(shown).toMatch(
        new RegExp(String.raw`^http://localhost:\d+/callback\?code=\S*state=${state}`, 'm'),
      )
      expect(shown).toMatch(/POST \S*\/oauth\/token[^]+code_verifier=[^]+"access_token"/)
      expect(shown).toMatch(/\/oauth\/userinfo[^]+"preferred_username": ?"bob"/)
    })

    test('a device, whose code is approved before it asks', async () => {
      const shown = await play('device')
      const [, userCode] = /"user_code": ?"([A-Z0-9-]+)"/.exec(shown) ?? []
      expect(shown).toContain(`It shows the user the code ${userCode} `)
      expect(shown).toMatch(/alice approves\.[^]+"access_token"[^]+"preferred_username": ?"alice"/)
    })

    test('a token exchange, to a member of the organization', async () => {
      const shown = await play('exchange')
      expect(shown).toMatch(/subject_token=\S+example\.com/)
      expect(shown).toMatch(/"issued_token_type"[^]+\/api\/whoami-v2[^]+200/)
    })

    test('a webhook, from the event to what the receiver got', async () => {
      expect(await play('webhook')).toMatch(
        /"webhookId": "(\w+)"[^]+x-webhook-secret: sandbox_demo_secret[^]+"webhook": \{\s+"id": "\1"/,
      )
    })
  },
)

test('a demo whose user the sandbox does not know says so', { timeout: patience }, async () => {
  const { code, stderr } = await run(['demo', 'sign-in', '--yes', '--url', url, '--user', 'zoe'])
    .ended
  expect(code).toBe(1)
  expect(stderr).toContain('zoe')
})
