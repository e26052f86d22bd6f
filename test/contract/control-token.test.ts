import { expect, test } from 'vitest'
import { controlCookieOf } from '../../server/web/plugins/control-guard.ts'
import { controlWorld, expectRefusal } from '../helpers/control.ts'

// The token of the whole control API, as `--control-token` asks for it.
const { call, hub, sandbox } = (() => {
  const world = controlWorld({ controlToken: 'open-sesame' })
  return { call: world.call, hub: world.hub, sandbox: () => world.sandbox }
})()

const bearer = { authorization: 'Bearer open-sesame' }

test('the control token is required everywhere, by header or cookie', async () => {
  const refused = { status: 401, error: 'control_token_required' }
  expectRefusal(await call('GET', 'clock'), refused)
  expectRefusal(await call('POST', 'reset'), refused)
  expectRefusal(await call('GET', 'clock', undefined, { authorization: 'Bearer wrong' }), refused)
  expectRefusal(await hub('GET', '/_sandbox/openapi.json'), refused)
  expect((await call('GET', 'clock', undefined, bearer)).status).toBe(200)
  const { name, value } = controlCookieOf(sandbox().deps.settings, 'open-sesame')
  const cookie = `${name}=${value}`
  expect((await call('GET', 'clock', undefined, { cookie })).status).toBe(200)
  const planted = { cookie: `${cookie}; ${name}=planted` }
  expectRefusal(await call('GET', 'clock', undefined, planted), {
    status: 400,
    error: 'several_cookies',
  })
  expect((await hub('GET', '/_sandbox/health', { headers: planted })).body).toEqual({
    status: 'ok',
  })
})

test('health without the token has the status only', async () => {
  const stranger = await hub('GET', '/_sandbox/health')
  expect(stranger).toMatchObject({ status: 200 })
  expect(stranger.body).toEqual({ status: 'ok' })
  const friend = await hub('GET', '/_sandbox/health', { headers: bearer })
  expect(friend.body).toMatchObject({ version: sandbox().deps.settings.version })
})

test('the emulated hub does not require the control token', async () => {
  const headers = { authorization: 'Bearer hf_sandbox_alice' }
  expect((await hub('GET', '/api/whoami-v2', { headers })).status).toBe(200)
})
