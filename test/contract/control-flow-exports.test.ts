import { describe, expect, test } from 'vitest'
import { FlowText } from '../../server/contract/control-flows.ts'
import { Har } from '../../server/contract/control-requests.ts'
import { controlWorld, expectConflict, expectNotFound, expectShape } from '../helpers/control.ts'
import { playFlows } from '../helpers/played-flows.ts'
import { openServer } from '../helpers/json-receiver.ts'

const world = controlWorld()
const { call, hub, read } = world
const play = playFlows(world)
const { newest } = play

const textAs = async (form: 'mermaid' | 'test') =>
  (await read(FlowText, `flows/${(await newest()).id}/${form}`)).text

test('an HTTP Archive has the requests of the sign-in and no other', async () => {
  await hub('GET', '/oauth/jwks')
  const tokens = await play.signIn()
  const { id } = await newest()
  const { body, headers } = await call<Har>('GET', `flows/${id}/har`)
  expectShape(Har, body)
  expect(headers['content-disposition']).toBe(`attachment; filename="sign-in-${id}.har"`)
  const paths = body.log.entries.map(({ request }) => new URL(request.url).pathname)
  expect(paths).toEqual([
    '/oauth/authorize',
    '/login',
    '/login',
    '/oauth/authorize',
    '/oauth/authorize',
    '/oauth/token',
  ])
  for (const secret of [tokens.access_token, tokens.refresh_token, tokens.id_token]) {
    expect(JSON.stringify(body)).not.toContain(secret)
  }
})

test('an app whose metadata document is not in the fixtures has no test', async () => {
  const site = await openServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document)),
  )
  const clientId = `${site.origin}/client.json`
  const document = {
    client_id: clientId,
    client_name: 'Editor',
    redirect_uris: ['http://localhost/callback'],
    token_endpoint_auth_method: 'none',
  }
  await hub(
    'GET',
    `/oauth/authorize?${play.request({ client_id: clientId, scope: 'jobs openid' })}`,
  )
  await site.close()
  await play.authorize({ client_id: clientId })
  expectConflict(await call('GET', `flows/${(await newest()).id}/test`))
})

describe('a Mermaid diagram', () => {
  /** Valid lines of a sequence diagram, with escaped text. */
  const text = String.raw`(?:[\p{L}\p{N} .,_/()+=×→’…-]|#\d+;)+`
  const actor = '(?:browser|app|device|hub)'
  const statements = [
    `participant ${actor} as ${text}`,
    `${actor}(?:->>|-->>|-x)${actor}: ${text}`,
    `Note over ${actor}(?:,${actor})?: ${text}`,
    `loop ${text}`,
    'end',
  ].map((pattern) => new RegExp(`^ {2,4}${pattern}$`, 'u'))

  async function linesOf(): Promise<string[]> {
    const [first, ...lines] = (await textAs('mermaid')).trimEnd().split('\n')
    expect(first).toBe('sequenceDiagram')
    expect(lines.filter((line) => !statements.some((it) => it.test(line)))).toEqual([])
    return lines.map((line) => line.trim())
  }

  test('the diagram distinguishes seen, inferred and failed steps', async () => {
    const code = (await play.answer(await play.toConsent(), 'approve')).get('code') ?? ''
    await play.exchangeCode(code, 'x'.repeat(43))
    const lines = await linesOf()
    expect(lines.slice(0, 5)).toEqual([
      'participant browser as Browser',
      'participant app as Public app',
      'participant hub as Hub',
      'app-->>browser: redirect to the Hub',
      'browser->>hub: authorization request',
    ])
    expect(lines.slice(-3)).toEqual([
      'hub-xapp: error response 400 invalid_grant',
      expect.stringContaining('Note over hub,app: code_verifier does not match'),
      expect.stringContaining('Note over browser,hub: invalid_grant'),
    ])
  })

  test('the diagram has one loop for all polls', async () => {
    const { poll } = await play.startDevice()
    for (let count = 0; count < 5; count += 1) await poll()
    const lines = await linesOf()
    const start = lines.findIndex((line) => line.startsWith('loop The device asked 5 times'))
    expect(lines.slice(start + 1, start + 4)).toEqual([
      'device->>hub: device token request',
      'hub-->>device: slow_down',
      'end',
    ])
  })

  test.each([
    'end',
    'a; participant evil',
    'x\nNote over hub: evil',
    '<script>alert(1)</script>',
    '%%{init: {"securityLevel": "loose"}}%%',
    '#35; "quoted" `code` 你好 🎉',
    'x'.repeat(5000),
    ' ',
  ])('escapes %j as text', async (name) => {
    await hub('POST', '/oauth/register', {
      json: { client_name: name, redirect_uris: ['http://localhost/callback'] },
    })
    const apps = await call<{ items: { clientId: string; name: string }[] }>('GET', 'apps')
    const clientId = apps.body.items.find((app) => app.name === name)?.clientId ?? name
    await hub('GET', `/oauth/authorize?${play.request({ client_id: clientId, scope: name })}`)
    const lines = await linesOf()
    expect(lines.filter((line) => line.startsWith('participant'))).toHaveLength(3)
    expect(lines.filter((line) => line === 'end')).toEqual([])
  })
})

describe('a sign-in as a test', () => {
  test('the test names the steps it does not repeat', async () => {
    const { access_token: token } = await play.signIn()
    await hub('GET', '/api/whoami-v2', { token })
    expect(await textAs('test')).toContain("// Not repeated: 'GET /api/whoami-v2'.")
  })

  test('the test moves the clock as recorded', async () => {
    const browser = await play.toConsent()
    await call('POST', 'clock', { advance: '90s' })
    await play.answer(browser, 'approve')
    expect(await textAs('test')).toContain("await sandbox.clock.advance('90000ms')")
  })

  test('a sign-in that needs a fetched document has no test', async () => {
    const clientId = 'http://localhost:1/client.json'
    await hub('GET', `/oauth/authorize?${play.request({ client_id: clientId })}`)
    expectConflict(await call('GET', `flows/${(await newest()).id}/test`))
  })

  test('a sign-in without a result has no test', async () => {
    await hub('GET', `/oauth/authorize?${play.request()}`)
    const refused = await call('GET', `flows/${(await newest()).id}/test`)
    expectConflict(refused)
    expect(JSON.stringify(refused.body)).toContain('only begun')
  })
})

test.each(['har', 'mermaid', 'test'])('an unknown sign-in has no %s', async (form) => {
  expectNotFound(await call('GET', `flows/none/${form}`))
})
