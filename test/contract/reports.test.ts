import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryItem } from '../../server/contract/control-deliveries.ts'
import { type FlowDetail, FlowText } from '../../server/contract/control-flows.ts'
import type { FlowList } from '../../server/contract/control-requests.ts'
import type { TriggerResult } from '../../server/contract/control-events.ts'
import { escapeHtml } from '../../server/core/escape-html.ts'
import { controlWorld, expectRefusal, expectShape } from '../helpers/control.ts'
import { openServer } from '../helpers/json-receiver.ts'
import { codeVerifier, playFlows } from '../helpers/played-flows.ts'

const world = controlWorld()
const { call, hub } = world
const play = playFlows(world)
const webhookSecret = 'plainly-a-secret-of-a-webhook'

/** A receiver that repeats the secret that it got. */
let receiver: Awaited<ReturnType<typeof openServer>>
beforeAll(async () => {
  receiver = await openServer((request, response) => {
    request.resume().on('end', () => {
      response.end(`I got ${String(request.headers['x-webhook-secret'])} for <b>you</b>`)
    })
  })
})
afterAll(() => receiver.close())

async function reportOf(path: string): Promise<string> {
  const { body } = await call<FlowText>('GET', path)
  expectShape(FlowText, body)
  return body.text
}

async function newest(): Promise<FlowDetail> {
  const { items } = (await call<FlowList>('GET', 'flows')).body
  return (await call<FlowDetail>('GET', `flows/${items[0]?.id}`)).body
}

async function deliver(): Promise<string> {
  await call('POST', 'webhooks', {
    owner: 'alice',
    name: 'Echo <script>alert(1)</script>',
    url: `${receiver.origin}/hook?token=plain-value-of-a-token`,
    watched: [{ type: 'dataset', name: 'acme/corpus' }],
    secret: webhookSecret,
  })
  const event = { event: 'repo.content', repo: 'datasets/acme/corpus' }
  const { deliveries } = (await call<TriggerResult>('POST', 'events', event)).body
  await call('GET', 'idle')
  return deliveries[0]?.id ?? ''
}

describe('the report of a sign-in', () => {
  test('has every step and none of its secrets', async () => {
    const session = await play.toConsent()
    const code = (await play.answer(session, 'approve')).get('code') ?? ''
    const tokens = (await play.exchangeCode(code)).body
    await play.userinfo(tokens.access_token)
    const flow = await newest()
    const report = await reportOf(`flows/${flow.id}/report`)
    const headings = [...report.matchAll(/<h3>\s*([^<]+?)\s*</g)].map(([, name]) => name)
    expect(headings).toEqual(flow.steps.map(({ name }) => escapeHtml(name)))
    expect(report).toContain('code_challenge_method')
    expect(report).toContain('preferred_username')
    const { access_token, refresh_token, id_token } = tokens
    const cookie = session.cookie.split('=')[1] ?? ''
    for (const secret of [code, codeVerifier, access_token, refresh_token, id_token, cookie]) {
      expect(secret.length).toBeGreaterThan(8)
      expect(report).not.toContain(secret)
    }
  })

  test('has neither the code of a device nor the secret of an app', async () => {
    const { userCode, poll } = await play.startDevice()
    await play.answerDevice(userCode)
    const { access_token } = (await poll()).body
    const device = await reportOf(`flows/${(await newest()).id}/report`)
    await play.exchangeToken('alice@example.com')
    const exchange = await reportOf(`flows/${(await newest()).id}/report`)
    for (const secret of [userCode, access_token, 'sandbox_exchange_secret']) {
      expect(device + exchange).not.toContain(secret)
      expect(device + exchange).not.toContain(btoa(secret).replace(/=+$/, ''))
    }
  })

  test('says so when there is none', async () => {
    expectRefusal(await call('GET', 'flows/none/report'), { status: 404, error: 'not_found' })
    expectRefusal(await call('GET', 'deliveries/none/report'), { status: 404, error: 'not_found' })
  })
})

test('the report of a delivery masks its secret, also where the receiver repeats it', async () => {
  const id = await deliver()
  const { payload } = (await call<DeliveryItem>('GET', `deliveries/${id}`)).body
  const report = await reportOf(`deliveries/${id}/report`)
  for (const secret of [webhookSecret, 'plain-value-of-a-token']) {
    expect(report).not.toContain(secret)
  }
  expect(report).toContain('X-Webhook-Secret: ')
  expect(report).toContain('&lt;b&gt;you&lt;/b&gt;')
  expect(report).toContain((payload as { repo: { id: string } }).repo.id)
})

test('names are escaped, and cannot move or reorder what is around them', async () => {
  const name = `"'><img src=x onerror=alert(1)></style></details>\u202egnp.\u0007`
  const app = { name, redirectUris: ['http://localhost/callback'], scopes: ['openid'] }
  const { clientId } = (await call<{ clientId: string }>('POST', 'apps', app)).body
  await play.signIn({ client_id: clientId })
  await hub('GET', `/<svg onload=alert(2)>\u202e`)
  await deliver()
  const report = await reportOf('report')
  expect(report).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(report).toContain(String.raw`\u202egnp.\u0007`)
  expect(report).not.toMatch(/<(?:img|script|svg onload)/)
  expect(report.match(/<\/style>/g)).toHaveLength(1)
  expect(report).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}/u)
})

test('the report of a run has all sign-ins, deliveries and requests', async () => {
  await play.signIn()
  const deliveryId = await deliver()
  await hub('GET', '/api/models/acme/none')
  const { id } = await newest()
  const report = await reportOf('report')
  expect(report).toContain('1 sign-in, 1 delivery, 7 requests')
  for (const anchor of [`flow-${id}`, `delivery-${deliveryId}`]) {
    expect(report).toContain(`href="#${anchor}"`)
    expect(report).toContain(`id="${anchor}"`)
  }
  expect(report).toMatch(/<h3>\s*GET \/api\/models\/acme\/none/)
})

test('a report loads and runs nothing', async () => {
  await play.signIn()
  const report = await reportOf('report')
  expect(report).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/)
  expect(report).not.toMatch(/<(?:script|link|iframe|object)|<[^>]*\s(?:src|style|on\w+)=|@import/)
  expect(report).not.toMatch(/href="(?!#)/)
})

describe('the head of the report of a run', () => {
  const headOf = async () =>
    (await reportOf('report'))
      .split(/<body>|<main>/)[1]
      ?.replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ') ?? ''

  test('has the verdict and three numbers, which add up', async () => {
    expect(await headOf()).toContain('Nothing to judge')
    await play.signIn()
    const head = await headOf()
    expect(head).toMatch(/Passed/)
    expect(head).toMatch(/1 Sign-ins 1 completed 0 Deliveries \d+ Requests/)
    expect(head).not.toContain('What failed')
  })

  test('names what failed with its reason, once for each reason', async () => {
    for (const state of ['one', 'two']) {
      const query = play.request({ redirect_uri: 'http://localhost/no', state })
      await hub('GET', `/oauth/authorize?${query}`)
    }
    await play.answer(await play.toConsent(), 'deny')
    const gone = await openServer((_, response) => response.writeHead(503).end('busy'))
    await call('POST', 'webhooks', {
      owner: 'alice',
      name: 'bot',
      url: `${gone.origin}/hook`,
      watched: [{ type: 'dataset', name: 'acme/corpus' }],
    })
    await call('POST', 'events', { event: 'repo.content', repo: 'datasets/acme/corpus' })
    await call('GET', 'idle')
    await gone.close()
    const head = await headOf()
    expect(head).toMatch(
      /Failed 2 of 3 sign-ins refused, 2 of \d+ requests refused, 1 of 1 deliveries failing/,
    )
    expect(head).toMatch(/3 Sign-ins (?:2 refused, 1 denied|1 denied, 2 refused)/)
    expect(head).toMatch(/2 × sign-in : invalid_redirect_uri: .*its path differs/)
    expect(head).toMatch(/failing delivery : bot: .*503/)
    expect(head.match(/its path differs/g)).toHaveLength(3)
    // Each leads to its part, which is folded.
    const report = await reportOf('report')
    const links = [...report.matchAll(/href="#((?:flow|delivery)-[^"]+)"/g)].map(([, id]) => id)
    for (const id of new Set(links)) expect(report).toContain(`id="${id}"`)
    expect(report.split('<main>')[1]?.trimStart()).toMatch(/^<details class="group" id="sign-ins">/)
  })
})
