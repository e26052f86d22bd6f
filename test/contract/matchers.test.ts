import { AssertionError } from 'node:assert'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectSandbox, type Sandbox } from '../../server/index.ts'
import {
  assertDelivered,
  assertSignedIn,
  assertUsedPkce,
  type SandboxMatchers,
  sandboxMatchers,
} from '../../server/testing.ts'
import { startJsonReceiver, webhookAt } from '../helpers/json-receiver.ts'
import { defaultApps, startTestSandbox, errorOf } from '../helpers/sandbox.ts'

declare module 'vitest' {
  // oxlint-disable-next-line no-unused-vars -- It must be declared as vitest has it.
  interface Matchers<T> extends SandboxMatchers<Promise<void>> {}
}
beforeAll(() => expect.extend(sandboxMatchers))

const ways: [string, () => Promise<Sandbox>][] = [
  ['in this process', () => startTestSandbox()],
  [
    'elsewhere',
    async () => {
      const sandbox = await connectSandbox((await startTestSandbox()).url)
      onTestFinished(() => sandbox.close())
      return sandbox
    },
  ],
]

const failureOf = async (asserted: Promise<unknown>) => (await errorOf(asserted))?.message

/** Asks for a sign-in as an app does that knows nothing of PKCE. */
async function signInWithoutPkce(sandbox: Sandbox, user: string): Promise<void> {
  const { clientId, clientSecret = '', redirectUris } = defaultApps(sandbox).confidential
  const redirect_uri = redirectUris[0] ?? ''
  const { redirectTo } = await sandbox.control<{ redirectTo: string }>('POST', 'authorize', {
    user,
    client_id: clientId,
    redirect_uri,
    response_type: 'code',
    scope: 'openid',
  })
  const answer = await fetch(`${sandbox.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(redirectTo).searchParams.get('code') ?? '',
      redirect_uri,
      client_id: clientId,
      client_secret: clientSecret,
    }),
  })
  expect(answer.status).toBe(200)
}

describe.each(ways)('a sandbox %s', (_name, open) => {
  test('toHaveSignedIn reports which user signed in to which app with what', async () => {
    const sandbox = await open()
    const vacuous = 'toHaveSignedIn() had nothing to judge: no sign-in was started'
    expect(await failureOf(expect(sandbox).toHaveSignedIn('alice'))).toBe(vacuous)
    expect(await failureOf(expect(sandbox).not.toHaveSignedIn('alice'))).toBe(vacuous)
    await sandbox.signIn({ user: 'alice', scope: 'openid profile' })
    const { clientId } = defaultApps(sandbox).public
    await expect(sandbox).toHaveSignedIn('alice')
    await expect(sandbox).toHaveSignedIn('alice', { clientId, scope: 'profile' })
    await expect(sandbox).not.toHaveSignedIn('bob')
    const { clientId: other } = defaultApps(sandbox).confidential
    await expect(sandbox).not.toHaveSignedIn('alice', { clientId: other })
    for (const [user, of, message] of [
      ['alcie', {}, 'there is no username alcie (did you mean "alice"?)'],
      ['alice', { clientId: 'another' }, 'there is no clientId another'],
    ] as const) {
      expect(await failureOf(expect(sandbox).not.toHaveSignedIn(user, of))).toContain(message)
    }
    const said = await failureOf(
      expect(sandbox).toHaveSignedIn('alice', { clientId, scope: 'openid email' }),
    )
    expect(said).toMatch(
      /^expected alice to have signed in to [\w-]+ with openid email; these were seen:\n {2}alice, Model Explorer, authorization-code: completed\. \w.+\.$/,
    )
    expect(await failureOf(expect(sandbox).not.toHaveSignedIn('alice'))).toMatch(
      /^expected alice not to have signed in; these were seen:/,
    )
  })

  test('an unknown field of an expectation is refused, negated or not', async () => {
    const sandbox = await open()
    const match = (keys: object) => keys
    expect(await failureOf(expect(sandbox).not.toHaveSignedIn('bob', match({ scopes: 'x' })))).toBe(
      'toHaveSignedIn() cannot match by "scopes" (did you mean "scope"?)',
    )
    expect(await failureOf(expect(sandbox).not.toHaveDelivered(match({ user: 'bob' })))).toBe(
      'toHaveDelivered() cannot match by "user"; known are event, repo, webhookId',
    )
    const user: unknown = { user: 'bob' }
    expect(await failureOf(expect(sandbox).not.toHaveSignedIn(user as string))).toBe(
      "toHaveSignedIn() requires a username, such as 'alice'",
    )
  })

  test('toHaveSignedIn explains why a sign-in failed', async () => {
    const sandbox = await open()
    const { clientId, redirectUris } = defaultApps(sandbox).public
    await sandbox.control('POST', 'authorize', {
      user: 'alice',
      decision: 'deny',
      client_id: clientId,
      redirect_uri: redirectUris[0],
      response_type: 'code',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    expect(await failureOf(assertSignedIn(sandbox, 'alice'))).toMatch(
      /alice, Model Explorer, authorization-code: refused\. \w.+\./,
    )
  })

  test('toHaveUsedPkce names the sign-ins without PKCE', async () => {
    const sandbox = await open()
    const vacuous = 'toHaveUsedPkce() had nothing to judge: no sign-in was started'
    expect(await failureOf(expect(sandbox).toHaveUsedPkce())).toBe(vacuous)
    expect(await failureOf(expect(sandbox).not.toHaveUsedPkce())).toBe(vacuous)
    await sandbox.signIn({ user: 'alice' })
    await expect(sandbox).toHaveUsedPkce()
    await signInWithoutPkce(sandbox, 'bob')
    await expect(sandbox).not.toHaveUsedPkce()
    expect(await failureOf(assertUsedPkce(sandbox))).toBe(
      'expected every sign-in by an authorization code to have used PKCE with S256; 1 of 2 did not:\n  bob, Team Dashboard, authorization-code: code_challenge_method is absent in /oauth/authorize',
    )
  })

  test('toHaveDelivered waits for pending deliveries and reports their outcome', async () => {
    const sandbox = await open()
    const receiver = await startJsonReceiver()
    const { id } = await sandbox.control<{ id: string }>(
      'POST',
      'webhooks',
      webhookAt(receiver.url),
    )
    expect(await failureOf(assertDelivered(sandbox, 'repo.content'))).toBe(
      'expected repo.content to have been delivered; there was none',
    )
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await expect(sandbox).toHaveDelivered('repo.content')
    await expect(sandbox).toHaveDelivered('repo.content.update')
    await expect(sandbox).toHaveDelivered({
      event: 'repo.content',
      repo: 'acme/corpus',
      webhookId: id,
    })
    await expect(sandbox).not.toHaveDelivered('repo.update')
    for (const [match, message] of [
      ['repo.contnet', 'did you mean "repo.content"?'],
      [{ webhookId: '0'.repeat(24) }, 'there is no webhook 000'],
    ] as const) {
      expect(await failureOf(expect(sandbox).not.toHaveDelivered(match))).toContain(message)
    }
    await expect(sandbox).not.toHaveDelivered({ repo: 'acme/other' })
    expect(
      await failureOf(
        expect(sandbox).toHaveDelivered({ event: 'repo.update', repo: 'acme/corpus' }),
      ),
    ).toMatch(
      /^expected repo\.update of acme\/corpus to have been delivered; there was:\n {2}repo\.content update of acme\/corpus: succeeded/,
    )
  })

  test('toHaveDelivered does not count a failed delivery', async () => {
    const sandbox = await open()
    await sandbox.control('POST', 'webhooks', webhookAt('http://127.0.0.1:9/'))
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    expect(await failureOf(assertDelivered(sandbox, 'repo.content'))).toMatch(
      /repo\.content update of acme\/corpus: waiting\. \w/,
    )
  })
})

test('the assertions throw errors that node:test shows as assertions', async () => {
  const sandbox = await startTestSandbox()
  await expect(assertSignedIn(sandbox, 'alice')).rejects.toBeInstanceOf(AssertionError)
  await sandbox.signIn({ user: 'alice' })
  await assertSignedIn(sandbox, 'alice')
  await assertUsedPkce(sandbox)
})
