import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sandbox } from '../../server/index.ts'
import { expect, test } from './fixtures.ts'

/** A website that asks for a sign-in until it knows the user by its cookie. @param sameSite of that cookie */
async function startWebsite(sandbox: Sandbox, sameSite: 'Lax' | 'Strict') {
  const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
  const clientId = app?.clientId ?? ''
  const sessions = new Set<string>()
  const begun = new Map<string, string>()
  const server = createServer((request, response) => {
    respond(request.url ?? '/', request.headers.cookie).then(
      ({ location, cookie, text = '' }) => {
        const headers = {
          'content-type': 'text/html',
          ...(location === undefined ? {} : { location }),
          ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
        }
        response.writeHead(location === undefined ? 200 : 303, headers).end(text)
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Another site than that of the sandbox, which is on localhost.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function respond(
    path: string,
    cookie = '',
  ): Promise<{ location?: string; cookie?: string; text?: string }> {
    const { pathname, searchParams } = new URL(path, origin)
    if (pathname === '/callback') {
      const verifier = begun.get(searchParams.get('state') ?? '') ?? ''
      await redeem(searchParams.get('code') ?? '', verifier)
      const id = crypto.randomUUID()
      sessions.add(id)
      return { location: '/', cookie: `sid=${id}; HttpOnly; Path=/; SameSite=${sameSite}` }
    }
    if (sessions.has(/\bsid=([\w-]+)/.exec(cookie)?.[1] ?? '')) return { text: 'Signed in.' }
    const [state, verifier] = [crypto.randomUUID(), `${crypto.randomUUID()}${crypto.randomUUID()}`]
    begun.set(state, verifier)
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: `${origin}/callback`,
      response_type: 'code',
      scope: 'openid profile',
      state,
      code_challenge: await challengeOf(verifier),
      code_challenge_method: 'S256',
    })
    return { location: `${sandbox.url}/oauth/authorize?${query}` }
  }

  async function redeem(code: string, verifier: string): Promise<void> {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: `${origin}/callback`,
      code,
      code_verifier: verifier,
    })
    const response = await fetch(`${sandbox.url}/oauth/token`, { method: 'POST', body })
    if (!response.ok) throw new Error(await response.text())
  }

  return {
    origin,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return Buffer.from(hash).toString('base64url')
}

const rules = async (sandbox: Sandbox) =>
  (await sandbox.advice.read()).items.map(({ rule }) => rule)

test('a cookie that the browser does not send after the sign-in is found as a loop', async ({
  page,
  sandbox,
}) => {
  const website = await startWebsite(sandbox, 'Strict')
  try {
    await page.goto(website.origin)
    await page.getByRole('button', { name: /alice@/ }).click()
    // Redirects without end: the browser stops by itself.
    await page.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true })
    await expect.poll(() => rules(sandbox)).toContain('sign-in/loop')
  } finally {
    website.close()
  }
})

test('a cookie that the browser sends after the sign-in is no loop', async ({ page, sandbox }) => {
  const website = await startWebsite(sandbox, 'Lax')
  try {
    await page.goto(website.origin)
    await page.getByRole('button', { name: /alice@/ }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByText('Signed in.')).toBeVisible()
    expect(await rules(sandbox)).not.toContain('sign-in/loop')
  } finally {
    website.close()
  }
})
