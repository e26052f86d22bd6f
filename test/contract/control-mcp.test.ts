import { describe, expect, test } from 'vitest'
import { controlApi, type Endpoint } from '../../server/contract/control-api.ts'
import { controlToolList, controlTools } from '../../server/lab/mcp/control-tools.ts'
import { testApp } from '../helpers/app.ts'
import { redirectUri, pkce } from '../helpers/oauth-client.ts'

const usual = {
  host: 'localhost:7420',
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}

const world = testApp()

function post(payload: object, headers: Record<string, string> = {}) {
  return world.server.inject({
    method: 'POST',
    url: '/_sandbox/mcp',
    headers: { ...usual, ...headers },
    payload,
  })
}

async function call(name: string, args: object = {}): Promise<{ text: string; isError: boolean }> {
  const params = { name, arguments: args }
  const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const { result } = answer.json<{ result: { content: { text: string }[]; isError?: boolean } }>()
  return { text: result.content[0]?.text ?? '', isError: result.isError ?? false }
}

const requiredOf = (schema: object = {}): string[] =>
  (schema as { required?: string[] }).required ?? []
const propertiesOf = (schema: unknown) =>
  Object.entries((schema as { properties?: object } | undefined)?.properties ?? {})

describe('the list of tools', () => {
  test('has the tools that agents are told of', () => {
    expect(Object.keys(controlTools)).toEqual(
      expect.arrayContaining([
        'sign_in',
        'last_refusal',
        'apply_fix',
        'list_requests',
        'show_flow',
        'trigger_event',
        'list_deliveries',
        'replay',
        'move_clock',
        'add_fault',
        'run_demo',
        'client_settings',
        'reset',
      ]),
    )
  })

  test.each(Object.keys(controlTools).filter((name) => name !== 'last_refusal'))(
    '%s has the arguments and the summary of its endpoint',
    (name) => {
      const { key } = controlTools[name]!
      const tool = controlToolList.find((listed) => listed.name === name)!
      const { summary, params, query, body }: Endpoint = controlApi[key]
      expect(tool.description).toMatch(summary)
      const parts = [params, query, body].flatMap(propertiesOf)
      // One name in two parts would be sent to one of them only.
      expect(new Set(parts.map(([part]) => part)).size).toBe(parts.length)
      const expected = parts.filter(([part]) => part !== 'follow' && part !== 'filter')
      const described = (entries: [string, unknown][]) =>
        JSON.parse(JSON.stringify(Object.fromEntries(entries))) as unknown
      expect(JSON.parse(JSON.stringify(tool.inputSchema.properties))).toEqual(described(expected))
      const needed = [...propertiesOf(params).map(([part]) => part), ...requiredOf(body)]
      expect(tool.inputSchema.required?.toSorted()).toEqual(needed.toSorted())
    },
  )
})

describe('a broken app', () => {
  test('is repaired: refusal, fix, sign-in', async () => {
    const asked = {
      user: 'alice',
      client_id: world.apps.public.id,
      redirect_uri: 'http://localhost/other',
      response_type: 'code',
      scope: 'openid',
      ...pkce,
    }
    const refused = await call('sign_in', asked)
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/last_refusal\.$/) })

    const why = await call('last_refusal')
    expect(why.text).toContain('http://localhost/other cannot be used')
    const flow = /"flowId":"([^"]+)"/.exec(why.text)![1]
    const fix = /"fix":"([^"]+)"/.exec(why.text)![1]
    const applied = await call('apply_fix', { id: flow, fix })
    expect(applied.text).toMatch(/^Applied: .*\nNext: /)

    const again = await call('sign_in', asked)
    expect(again.isError).toBe(false)
    expect(again.text).toContain('The app gets http://localhost/other?code=')
    expect((await call('show_flow', { id: flow })).text).toContain('authorization request')
  })

  test('gets a denied sign-in as a refusal', async () => {
    const { text } = await call('sign_in', {
      user: 'alice',
      decision: 'deny',
      client_id: world.apps.public.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      ...pkce,
    })
    expect(text).toMatch(/^Refused: the app gets .*error=access_denied/)
  })
})

test('answers are short', async () => {
  for (let count = 0; count < 300; count += 1) {
    await world.server.inject({ url: `/oauth/unknown-${count}-${'x'.repeat(300)}`, headers: usual })
  }
  const { text } = await call('list_requests', { limit: 300 })
  expect(text.length).toBeLessThan(8100)
  expect(text).toContain('characters)')
})

describe('bad input', () => {
  test.each([
    ['move_clock', { advance: 'soon' }, /advance/],
    ['move_clock', {}, /advance|body|member/],
    ['list_requests', { clientIds: '4xx' }, /clientIds/],
    ['show_flow', {}, /The argument id is missing/],
    ['apply_fix', { id: 'none', fix: 'none' }, /none/],
    ['list_apps', { limit: 'many' }, /limit/],
  ])('%s %o is refused with the mistake', async (name, args, message) => {
    const { text, isError } = await call(name, args)
    expect(isError).toBe(true)
    expect(text).toMatch(message)
  })

  test('an unknown tool gets a suggestion', async () => {
    const params = { name: 'last_refus', arguments: {} }
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(answer.json()).toMatchObject({
      error: { message: expect.stringContaining('did you mean "last_refusal"?') },
    })
  })
})

describe('access', () => {
  const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  test.each([
    ['of another origin', { origin: 'https://evil.example' }, 403],
    ['of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['of another port', { origin: 'http://localhost:3000' }, 403],
    ['by DNS rebinding', { host: 'evil.example' }, 403],
    ['as plain text', { 'content-type': 'text/plain' }, 415],
  ])('a page %s is refused', async (_title, headers, status) => {
    expect((await post(listed, headers)).statusCode).toBe(status)
  })

  test('the control token is required and passed on', async () => {
    await world.begin({ controlToken: 'sandbox-control' })
    expect((await post(listed)).statusCode).toBe(401)
    const headers = { authorization: 'Bearer sandbox-control' }
    const params = { name: 'list_apps', arguments: {} }
    const answer = await post({ ...listed, method: 'tools/call', params }, headers)
    expect(answer.body).toContain(world.apps.public.id)
  })
})
