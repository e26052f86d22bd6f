import { describe, expect, test } from 'vitest'
import type { FlowDetail } from '../../server/contract/control-flows.ts'
import type { FlowList } from '../../server/contract/control-requests.ts'
import { TokenList } from '../../server/contract/control-tokens.ts'
import { testApp } from '../helpers/app.ts'
import { expectShape } from '../helpers/control.ts'
import { pkce, redirectUri, verifier } from '../helpers/oauth-client.ts'

// MCP clients name the server that their token is for in both requests.

const one = 'https://mcp.example/server'
const other = 'https://files.example/'

const world = testApp()
const { client } = world

const publicApp = () => ({ client_id: world.apps.public.id })

/** A code for both resources. */
async function getCode(): Promise<string> {
  const asked = { ...publicApp(), redirect_uri: redirectUri, scope: 'openid', ...pkce }
  const url = `${client.authorizeUrl(asked)}&resource=${one}&resource=${other}&resource=${one}`
  const session = await client.signIn('alice')
  await client.get(url, session)
  const answer = await client.postForm(url, '', session)
  return new URL(answer.headers.location!).searchParams.get('code')!
}

async function redeem(resource = ''): Promise<{ refresh_token: string }> {
  const form = {
    ...publicApp(),
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    code: await getCode(),
  }
  const answer = await client.token(`${String(new URLSearchParams(form))}${resource}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<{ refresh_token: string }>()
}

/** Resources of the newest token. */
async function recorded(): Promise<string[] | undefined> {
  const body = (await client.get('/_sandbox/api/tokens')).json<TokenList>()
  expectShape(TokenList, body)
  return body.items[0]?.resources
}

async function explanations(): Promise<Map<string, string | undefined>> {
  const list = (await client.get('/_sandbox/api/flows')).json<FlowList>()
  const flow = await client.get(`/_sandbox/api/flows/${list.items[0]?.id}`)
  const { steps } = flow.json<FlowDetail>()
  return new Map(steps.map(({ name, explanation }) => [name, explanation]))
}

describe('resource (RFC 8707)', () => {
  test('a resource of the authorization request is recorded with code and token', async () => {
    await redeem()
    expect(world.state.codes.last()?.resources).toEqual([one, other])
    expect(await recorded()).toEqual([one, other])
    const told = await explanations()
    expect(told.get('authorization request')).toMatch(
      /The token is to be for https:\/\/mcp\.example\/server, https:\/\/files\.example\/ \(RFC 8707\)\.$/,
    )
    expect(told.get('token response')).toMatch(/recorded with the token that it is for https:/)
  })

  test('a resource of the token request overrides it (§2.2)', async () => {
    await redeem(`&resource=${one}`)
    expect(await recorded()).toEqual([one])
    const told = await explanations()
    expect(told.get('token request with PKCE')).toMatch(
      /is to be for https:\/\/mcp.example\/server/,
    )
  })

  test('a refresh keeps the resource or names another', async () => {
    const { refresh_token: first } = await redeem()
    const refresh = (token: string, resource: string) =>
      client.token(
        `grant_type=refresh_token&client_id=${world.apps.public.id}&refresh_token=${token}${resource}`,
      )
    const next = (await refresh(first, '')).json<{ refresh_token: string }>()
    expect(await recorded()).toEqual([one, other])
    await refresh(next.refresh_token, `&resource=${other}`)
    expect(await recorded()).toEqual([other])
  })

  test('a resource of a device is recorded with its token', async () => {
    const form = `client_id=${world.apps.public.id}&resource=${one}`
    const device = await client.startDevice(form)
    const approval = { user: 'alice', decision: 'approve' }
    await world.as().post(`/_sandbox/api/device/${device.user_code}`, approval)
    expect((await client.poll(device, publicApp())).statusCode).toBe(200)
    expect(await recorded()).toEqual([one])
  })

  test('a token without a resource has none', async () => {
    await client.signInTo(world.apps.public, 'alice')
    expect(await recorded()).toBeUndefined()
    expect((await explanations()).get('token response')).not.toContain('8707')
  })
})
