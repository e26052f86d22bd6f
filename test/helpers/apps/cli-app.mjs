// A program of the terminal that signs its user in, for audits by commands: node cli-app.mjs ACTION CLIENT REDIRECT-URI [MISTAKE]
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [action = '', clientId = '', redirectUri = '', mistake] = process.argv.slice(2)
const hub = process.env.HUB_SANDBOX_URL
const kept = 'cli-app-tokens.json'

/** @param {string} path @param {Record<string, string>} form */
async function post(path, form) {
  const body = new URLSearchParams({ client_id: clientId, ...form })
  const response = await fetch(hub + path, { method: 'POST', body })
  return { status: response.status, body: await response.json() }
}

/** @param {string} token */
const whoami = (token) =>
  fetch(`${hub}/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } })

/** @param {{ access_token: string }} tokens */
async function keep(tokens) {
  writeFileSync(kept, JSON.stringify(tokens))
  await whoami(tokens.access_token)
}

/** RFC 8628 §3.5 */
async function signInByDevice() {
  const { body: code } = await post('/oauth/device', { scope: 'openid profile' })
  let seconds = code.interval ?? 5
  for (let poll = 0; poll < 6; poll += 1) {
    await sleep(seconds * 1000)
    const { status, body } = await post('/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: code.device_code,
    })
    if (status === 200) return keep(body)
    if (body.error === 'slow_down' && mistake !== 'impatient') seconds += 5
    const goesOn = ['slow_down', 'authorization_pending'].includes(body.error)
    if (!goesOn && mistake !== 'impatient') return
  }
}

/** Stands for a browser that a test drives. */
async function signInByCode() {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  const query = { ...pkce, client_id: clientId, redirect_uri: redirectUri, scope: 'openid profile' }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ user: 'alice', response_type: 'code', state: 'abc', ...query })
  const answer = await fetch(`${hub}/_sandbox/api/authorize`, { method: 'POST', headers, body })
  const callback = new URL((await answer.json()).redirectTo).searchParams
  if (callback.get('state') !== 'abc') return
  const form = {
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  }
  const { status, body: tokens } = await post('/oauth/token', {
    ...form,
    code: callback.get('code') ?? '',
  })
  if (status === 200) await keep(tokens)
}

/** Refreshes a refused token once, and forgets the sign-in if that is refused. */
async function callHub() {
  if (!existsSync(kept)) return
  const tokens = JSON.parse(readFileSync(kept, 'utf8'))
  if ((await whoami(tokens.access_token)).status !== 401 || mistake === 'keeps') return
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const { status, body } = await post('/oauth/token', form)
  if (status === 200) await keep(body)
  else rmSync(kept, { force: true })
}

if (action === 'device') await signInByDevice()
if (action === 'code') await signInByCode()
if (action === 'use') await callHub()
