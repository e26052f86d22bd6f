import { describe, expect, test } from 'vitest'

import { type Sandbox, type SandboxOptions } from '../../server/index.ts'
import { noise, uploadByXet } from '../helpers/xet-files.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

let sandbox: Sandbox

/** Starts a sandbox whose clock stands still: its windows begin every five minutes, and one could within a test. */
async function start(options: SandboxOptions = {}): Promise<void> {
  sandbox = await startTestSandbox(options)
  await sandbox.clock.freeze()
}

const asDave = { headers: { authorization: 'Bearer hf_sandbox_dave' } }

describe('rate limits', () => {
  test('returns the quota of the caller and refuses nothing by default', async () => {
    await start()
    const first = await fetch(`${sandbox.url}/api/whoami-v2`, asDave)
    expect(first.headers.get('ratelimit')).toMatch(/^"api";r=999;t=\d+$/)
    expect(first.headers.get('ratelimit-policy')).toBe('"fixed window";"api";q=1000;w=300')
    const alice = { headers: { authorization: 'Bearer hf_sandbox_alice' } }
    const enterprise = await fetch(`${sandbox.url}/api/whoami-v2`, alice)
    expect(enterprise.headers.get('ratelimit-policy')).toContain('q=6000')
    const page = await fetch(`${sandbox.url}/login`)
    expect(page.headers.get('ratelimit')).toMatch(/^"pages";r=99;/)
    const file = `${sandbox.url}/alice/tiny-sentiment/resolve/main/README.md`
    const unfollowed = { redirect: 'manual', ...asDave } as const
    const probed = await fetch(file, { method: 'HEAD', ...unfollowed })
    expect(probed.headers.get('ratelimit')).toMatch(/^"resolvers";r=4999;/)
    // A download counts once: what it is redirected to counts in no bucket.
    const whole = await fetch(file, asDave)
    expect([whole.status, whole.headers.get('ratelimit')]).toEqual([200, null])
    const data = `${sandbox.url}/datasets/acme/corpus/resolve/main/README.md`
    const third = await fetch(data, unfollowed)
    expect(third.headers.get('ratelimit')).toMatch(/^"resolvers";r=4997;/)
    const call = await fetch(`${sandbox.url}/api/whoami-v2`, asDave)
    expect(call.headers.get('ratelimit')).toMatch(/^"api";r=998;/)
    const metadata = await fetch(`${sandbox.url}/.well-known/openid-configuration`)
    expect(metadata.headers.get('ratelimit')).toBeNull()
  })

  test('counts requests to the Xet storage for the user of the token', async () => {
    await start()
    const content = noise(200_000)
    await uploadByXet(sandbox.url, content)
    const remaining = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(sandbox.url + path, init)
      await answer.arrayBuffer()
      return /r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]
    }
    const nobody = await remaining('/api/whoami-v2')
    const path = '/api/models/alice/chunks/xet-read-token/main'
    const granted = await fetch(sandbox.url + path, asDave)
    expect(granted.headers.get('ratelimit')).toMatch(/^"api";r=999;/)
    const { casUrl, accessToken } = (await granted.json()) as Record<string, string>
    const headers = { authorization: `Bearer ${accessToken}` }
    const { headers: found } = await fetch(`${sandbox.url}/alice/chunks/resolve/main/w.bin`, {
      method: 'HEAD',
      redirect: 'manual',
    })
    const hash = found.get('x-xet-hash')
    const plan = await fetch(`${casUrl}/v1/reconstructions/${hash}`, { headers })
    expect(plan.headers.get('ratelimit')).toMatch(/^"api";r=998;/)
    expect(plan.headers.get('ratelimit-policy')).toContain('q=1000')
    const { fetch_info: places } = (await plan.json()) as {
      fetch_info: Record<string, { url: string; url_range: { start: number; end: number } }[]>
    }
    const [place] = Object.values(places).flat()
    const range = `bytes=${place?.url_range.start}-${place?.url_range.end}`
    const part = await fetch(place?.url ?? '', { headers: { range } })
    expect([part.status, part.headers.get('ratelimit')]).toEqual([
      206,
      expect.stringMatching(/^"api";r=997;/),
    ])
    // A token that nobody has counts for the address.
    const unknown = { headers: { authorization: 'Bearer xet_sandbox_none' } }
    const { pathname } = new URL(casUrl ?? '')
    expect(await remaining(`${pathname}/v1/reconstructions/${hash}`, unknown)).toBe(
      String(Number(nobody) - 1),
    )
  })

  test('refuses requests beyond the quota until the next window', async () => {
    await start({ rateLimits: true })
    for (let asked = 0; asked < 500; asked++) await fetch(`${sandbox.url}/api/whoami-v2`)
    const refused = await fetch(`${sandbox.url}/api/whoami-v2`)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('ratelimit')).toMatch(/^"api";r=0;/)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const text =
      "We had to rate limit your IP (127.0.0.1). To continue using our service, create a HF account or login to your existing account, and make sure you pass a HF_TOKEN if you're using the API."
    expect(await refused.json()).toEqual({ error: text })
    expect(refused.headers.get('x-error-message')).toBe(text)

    // Others have quotas of their own, and the next window starts anew.
    expect((await fetch(`${sandbox.url}/api/whoami-v2`, asDave)).status).toBe(200)
    await sandbox.clock.advance('5m')
    expect((await fetch(`${sandbox.url}/api/whoami-v2`)).status).toBe(401)
  })

  test('shows a user the quota, per bucket', async () => {
    await start({ rateLimits: true })
    const ask = () => fetch(`${sandbox.url}/api/whoami-v2`, asDave)
    for (let asked = 0; asked < 1000; asked++) await ask()
    const { error } = (await (await ask()).json()) as { error: string }
    expect(error).toMatch(
      /^We had to rate limit you, you hit the quota of 1000 api requests per 5 minutes period\. Upgrade to a PRO user/,
    )
  })

  test.each([
    '/alice',
    '/acme',
    '/alice/tiny-sentiment',
    '/datasets/acme/corpus',
    '/buckets/acme/none',
    '/nobody',
    '/login',
  ])('counts the page %s for its viewer, HEAD included', async (path) => {
    await start()
    const accept = 'text/html'
    const page = await fetch(sandbox.url + path, { headers: { accept } })
    expect(page.headers.get('ratelimit')).toMatch(/^"pages";r=99;/)
    expect(page.headers.get('ratelimit-policy')).toBe('"fixed window";"pages";q=100;w=300')
    const probed = await fetch(sandbox.url + path, { method: 'HEAD', headers: { accept } })
    expect(probed.headers.get('ratelimit')).toMatch(/^"pages";r=98;/)
    const session = await sandbox.control<{ name: string; value: string }>('POST', 'sessions', {
      user: 'dave',
    })
    const cookie = `${session.name}=${session.value}`
    const ofDave = await fetch(sandbox.url + path, { headers: { accept, cookie } })
    expect(ofDave.headers.get('ratelimit')).toMatch(/^"pages";r=199;/)
  })

  test('refuses pages of users with an HTML page', async () => {
    await start({ rateLimits: true })
    const headers = { accept: 'text/html' }
    for (let asked = 0; asked < 100; asked++) await fetch(`${sandbox.url}/alice`, { headers })
    const refused = await fetch(`${sandbox.url}/alice`, { headers })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('content-type')).toContain('text/html')
  })

  test('refuses pages with an HTML page', async () => {
    await start({ rateLimits: true })
    for (let asked = 0; asked < 100; asked++) await fetch(`${sandbox.url}/login`)
    const refused = await fetch(`${sandbox.url}/login`)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('content-type')).toContain('text/html')
    await expect(refused.text()).resolves.toContain('rate limit')
  })
})
