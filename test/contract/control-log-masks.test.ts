import { describe, expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { controlWorld } from '../helpers/control.ts'
import { codeVerifier, playFlows } from '../helpers/played-flows.ts'

const world = controlWorld()
const { call, hub } = world
const played = playFlows(world)

/** The file as it lies on a disk. */
async function exported(): Promise<string> {
  return JSON.stringify((await call<FixturesFile>('GET', 'export?log=1')).body)
}

/** Nothing of it is anywhere in the file, in whichever spelling. */
function expectNothingOf(file: string, secret: string): void {
  const spellings = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ]
  // The last letters, which a mask for people would leave.
  if (secret.length >= 12) spellings.push(secret.slice(-6))
  for (const spelling of spellings) expect(file.includes(spelling) ? spelling : '').toBe('')
}

const jwt = (text: string) => Buffer.from(text).toString('base64url')
const foreignJwt = `${jwt('{"alg":"RS256","kid":"elsewhere"}')}.${jwt('{"sub":"me"}')}.c2lnbmF0dXJlX29mX2Vsc2V3aGVyZQ`

describe('an exported log has no secrets', () => {
  const secrets = {
    token: 'hf_QmVhcmVyT2ZFbHNld2hlcmU4ODg',
    bare: 'bare-credential-without-scheme-77',
    basic: Buffer.from('elsewhere:ZJ3kGeheim66').toString('base64'),
    cookie: 's%3AexpressSession.QWxhZGRpbjEyMzQ1',
    apiKey: 'sk-proj-9f8e7d6c5b4a39281706',
    json: 'p4ss"word\\with\u00fcmlaut-and\nmore',
    form: 'client secret+with/odd=signs&more',
    nested: 'nestedSecretValue-4242424242',
    userinfo: 'opensesame-Zw93kQ',
    jwt: foreignJwt,
    refresh: 'refresh-of-another-hub-1234567890',
    job: 'AKIAIOSFODNN7EXAMPLEKEY',
    short: 'zQ7!',
  }

  test('secrets in requests are masked', async () => {
    const { token, bare, basic, cookie, apiKey, json, form, nested, jwt: signed } = secrets
    const headers = (more: Record<string, string>) => ({ headers: more })
    await hub('GET', '/api/whoami-v2', headers({ authorization: `Bearer ${token}` }))
    await hub('GET', '/api/whoami-v2', headers({ authorization: bare }))
    await hub('GET', '/api/whoami-v2', headers({ authorization: `Bearer ${signed}` }))
    await hub('GET', '/api/whoami-v2', headers({ cookie: `theme=dark; connect.sid=${cookie}` }))
    await hub('GET', '/api/whoami-v2', headers({ 'x-api-key': apiKey, 'x-note': `use ${token}` }))
    await hub('GET', `/api/models?access_token=${token}&auth_token=${encodeURIComponent(form)}`)
    await hub('GET', `/login?next=${encodeURIComponent(`/oauth/x?client_secret=${nested}`)}`)
    await hub('GET', '/api/models', headers({ referer: `http://a:${secrets.userinfo}@b.example/` }))
    await hub('POST', '/oauth/token', {
      form: {
        grant_type: 'authorization_code',
        code: secrets.refresh,
        client_secret: form,
        password: secrets.short,
      },
      headers: { authorization: `Basic ${basic}` },
    })
    await hub('POST', '/oauth/token', {
      form: { grant_type: token, refresh_token: secrets.refresh, client_id: token },
    })
    await hub('POST', '/oauth/register', {
      json: {
        client_name: `Tool of ${token}`,
        redirect_uris: [`http://u:${secrets.userinfo}@localhost/cb`],
        nested: { deep: [{ db_password: json, note: `again ${json}` }] },
      },
    })
    const file = await exported()
    for (const secret of Object.values(secrets)) expectNothingOf(file, secret)
    expect(file.includes('sandbox_masked_1')).toBe(true)
  })

  test('secrets of the state are masked', async () => {
    const { job, userinfo, token } = secrets
    const webhook = { user: 'alice', watched: [{ type: 'org', name: 'acme' }] }
    await call('POST', 'webhooks', {
      ...webhook,
      url: `http://bob:${userinfo}@127.0.0.1:9/hook?token=${token}`,
    })
    await call('POST', 'webhooks', {
      ...webhook,
      job: { dockerImage: 'python', command: ['run'], secrets: { KEY: job, PLAIN: 'abc' } },
    })
    await call('POST', 'jobs', {
      user: 'alice',
      dockerImage: 'python',
      command: ['echo', `--token=${token}`],
      environment: { HF_TOKEN: token, GREETING: 'hello' },
      secrets: { DB: job },
    })
    await call('POST', 'events', { event: 'repo.content', repo: 'datasets/acme/corpus' })
    const file = await exported()
    for (const secret of [job, userinfo, token]) expectNothingOf(file, secret)
    expect(file.includes('"abc"')).toBe(false)
    expect(file.includes('"GREETING":"hello"')).toBe(true)
  })

  test('ids that connect entries stay', async () => {
    const tokens = await played.signIn({ nonce: 'nonce-of-the-app' })
    await played.userinfo(tokens.access_token)
    const { requests = [] } = (JSON.parse(await exported()) as FixturesFile).log ?? {}
    const text = JSON.stringify(requests)
    for (const kept of Object.values(tokens).filter((value) => String(value).length > 30)) {
      expect(text.includes(kept)).toBe(true)
    }
    expect(text.includes(`code_verifier=${codeVerifier}`)).toBe(true)
    expect(/.{60}sandbox_masked.{20}/.exec(text)?.[0]).toBeUndefined()
  })

  test('a common word as a secret does not mask everything', async () => {
    for (const word of [
      'localhost',
      'authorization_code',
      'repo.content',
      'alice',
      '/oauth/token',
    ]) {
      await hub('GET', '/api/whoami-v2', { token: word })
    }
    await played.signIn()
    const file = JSON.parse(await exported()) as FixturesFile
    expect(file.apps?.[0]?.redirectUris).toEqual(['http://localhost/callback'])
    expect(file.users?.[0]?.username).toBe('alice')
    expect(file.log?.requests?.at(-1)).toMatchObject({
      url: '/oauth/token',
      grantType: 'authorization_code',
    })
  })
})
