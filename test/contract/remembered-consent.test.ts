import { beforeEach, describe, expect, test } from 'vitest'
import { authorizeWithoutBrowser } from '../../server/hub/oauth/authorize-without-browser.ts'
import { answerDevice } from '../../server/hub/oauth/device-authorization.ts'
import { revokeConsent } from '../../server/hub/oauth/consents.ts'
import { testApp } from '../helpers/app.ts'
import { expectOAuthError, pkce, redirectUri } from '../helpers/oauth-client.ts'
import { formOf } from '../helpers/page.ts'

const world = testApp()
const { client } = world
let session: { cookie: string }
let request: Record<string, string>
beforeEach(async () => {
  session = await client.signIn('bob')
  request = {
    client_id: world.apps.public.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    ...pkce,
  }
})

const acme = () => world.organizations.acme.id
const labs = () => world.organizations.labs.id

const open = (change: Record<string, string> = {}) =>
  client.get(client.authorizeUrl({ ...request, ...change }), session)

/** Answers the consent page with these organizations ticked. */
async function allow(organization: string | undefined, change: Record<string, string> = {}) {
  const { action, fields } = formOf((await open({ ...change, prompt: 'consent' })).body)
  const form = { ...fields, organization, decision: 'approve' }
  expect((await client.postForm(action, form, session)).statusCode).toBe(303)
}

/** Organizations that the app gets when it signs the user in again; no page may be needed for it. */
async function remembered(change: Record<string, string> = {}) {
  const answer = await open(change)
  expect(answer.statusCode).toBe(303)
  expect(answer.headers.location).toContain('code=')
  return world.state.codes.last()?.organizationIds
}

async function startDevice(scope = request['scope']) {
  const form = { client_id: request['client_id'], scope }
  const { user_code: userCode } = await client.startDevice(form)
  return world.state.deviceAuthorizations.find('userCode', userCode)!
}

describe('a remembered consent', () => {
  test('is the same for one set of scopes in any order', async () => {
    await allow(acme())
    await allow(labs(), { scope: 'openid' })
    expect(await remembered()).toEqual([acme()])
    expect(await remembered({ scope: 'profile openid' })).toEqual([acme()])
    expect(await remembered({ scope: 'openid' })).toEqual([labs()])
    expect((await open({ scope: 'openid profile email' })).statusCode).toBe(200)
  })

  test('is not shared by users or apps', async () => {
    await allow(acme())
    const other = await client.get(client.authorizeUrl(request), await client.signIn('alice'))
    expect(other.statusCode).toBe(200)
    expect((await open({ client_id: world.apps.confidential.id })).statusCode).toBe(200)
  })

  test('keeps its organizations when a device is approved, and gains those ticked there', async () => {
    await allow(acme())
    const approve = { user: world.users.bob, decision: 'approve', authTime: 0 } as const
    const bare = { ...approve, organizationIds: [] }
    answerDevice(world.deps, { ...bare, authorization: await startDevice() })
    expect(await remembered()).toEqual([acme()])
    answerDevice(world.deps, { ...bare, authorization: await startDevice('openid') })
    expect(await remembered()).toEqual([acme()])
    const more = { ...approve, organizationIds: [labs()] }
    const device = answerDevice(world.deps, { ...more, authorization: await startDevice() })
    expect(device.organizationIds).toEqual([labs()])
    expect(await remembered()).toEqual([acme(), labs()])
  })

  test('keeps its organizations when approved through the control API, whose code has the named ones', async () => {
    await allow(acme())
    const findClient = () => Promise.resolve(world.apps.public)
    const approve = async (organizations?: string[]) => {
      const body = { ...request, user: 'bob', ...(organizations && { organizations }) }
      await authorizeWithoutBrowser(world.deps, findClient, body)
      return world.state.codes.last()?.organizationIds
    }
    expect(await approve([])).toEqual([])
    expect(await remembered()).toEqual([acme()])
    expect(await approve(['labs'])).toEqual([labs()])
    expect(await remembered()).toEqual([acme(), labs()])
    expect(await approve()).toEqual([acme(), labs()])
  })

  test('keeps its organizations when a program posts, which gets those that the page offers', async () => {
    await allow(acme())
    await client.postForm(client.authorizeUrl({ ...request, orgIds: labs() }), '', session)
    expect(world.state.codes.last()?.organizationIds).toEqual([acme(), labs()])
    await client.postForm(client.authorizeUrl(request), '', session)
    expect(await remembered()).toEqual([acme(), labs()])
  })

  test('keeps an organization that refuses the user temporarily', async () => {
    await allow(acme())
    const { acme: organization } = world.organizations
    const barred = { ...organization, securityRestrictions: [{ type: 'sso' as const }] }
    world.state.organizations.put(barred)
    expect(await remembered()).toEqual([])
    await allow(labs())
    world.state.organizations.put(organization)
    expect(await remembered()).toEqual([acme(), labs()])
  })

  test('loses organizations that the user unticks on the page', async () => {
    await allow(acme())
    await allow(undefined)
    expect(await remembered()).toEqual([])
  })

  test('ends for every set of scopes when the app is disconnected, with pending codes', async () => {
    await allow(acme())
    await allow(labs(), { scope: 'openid' })
    const code = world.state.codes.last()!.id
    const ofAlice = await client.getCode('alice', { ...request })
    const redeem = (value: string) => client.redeem(value, { client_id: request['client_id'] })

    expect(revokeConsent(world.deps, world.users.bob.id, world.apps.public.id)).toBe(true)
    expect((await open()).statusCode).toBe(200)
    expect((await open({ scope: 'openid' })).statusCode).toBe(200)
    expectOAuthError(await redeem(code), 400, 'invalid_grant')
    expect((await redeem(ofAlice)).statusCode).toBe(200)
    expect(revokeConsent(world.deps, world.users.bob.id, world.apps.public.id)).toBe(false)
  })
})
