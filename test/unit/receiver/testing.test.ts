import { describe, expect, test, vi } from 'vitest'
import {
  fixture,
  receive,
  signedRequest,
  webhookMatchers,
  type WebhookMatchers,
} from '../../../server/receiver/testing.ts'
import { payloadNames } from '../../../server/receiver/fixture.ts'
import { buildPayload } from '../../../server/hub/webhooks/publish/build-payload.ts'
import { makeEvent } from '../../helpers/webhook-world.ts'
import { quietWebhooks } from './kit.ts'

declare module 'vitest' {
  interface Matchers<T> extends WebhookMatchers<T> {}
}

expect.extend(webhookMatchers)

describe('fixture', () => {
  test('replaces parts at any depth, and lists as a whole', () => {
    const { repo, updatedRefs } = fixture('repo.content.update', {
      repo: { name: 'labs/other', url: { api: 'x' } },
      updatedRefs: [],
    })
    expect(repo).toMatchObject({ name: 'labs/other', type: 'dataset', url: { api: 'x' } })
    expect(repo.url.web).toBe(fixture('repo.create').repo.url.web)
    expect(updatedRefs).toEqual([])
  })

  test('is a new object each time', () => {
    fixture('repo.create').repo.owner.id = 'changed'
    expect(fixture('repo.create').repo.owner.id).not.toBe('changed')
  })

  test.each(payloadNames)('%s describes the repo as the sandbox sends it', (name) => {
    const { event, repo } = fixture(name)
    const sent = buildPayload('http://localhost:7420', 'w', makeEvent(event))
    expect(Object.keys(repo)).toEqual(Object.keys(sent.repo))
  })

  test('refuses any other event', () => {
    expect(() => fixture('repo.content' as 'repo.create')).toThrow(/repo\.content\.update/)
  })
})

describe('signedRequest', () => {
  test('contains what the hub would send', async () => {
    vi.stubEnv('WEBHOOK_SECRET', 'from-env')
    const request = signedRequest(fixture('repo.create'), { endpoint: 'x', webhookId: 'wh_1' })
    expect(request.method).toBe('POST')
    expect(new URL(request.url).pathname).toBe('/webhooks/x')
    expect(Object.fromEntries(request.headers)).toEqual({
      'content-type': 'application/json',
      'webhook-id': 'wh_1',
      'x-webhook-secret': 'from-env',
    })
    expect(await request.json()).toEqual(fixture('repo.create'))
  })
})

describe('toHaveHandled', () => {
  test('finds handled deliveries only', async () => {
    const { webhooks } = quietWebhooks()
    webhooks.on('repo.create', () => undefined)
    webhooks.on('repo.delete', () => Promise.reject(new Error('no')))
    await receive(webhooks, fixture('repo.create'), { secret: 'abc' })
    await receive(webhooks, fixture('repo.update'), { secret: 'wrong' })
    await receive(webhooks, fixture('repo.delete'), { secret: 'abc' })
    expect(webhooks).toHaveHandled({ scope: 'repo', action: 'create', repo: 'acme/corpus' })
    expect(webhooks).toHaveHandled({ endpoint: 'events' })
    expect(webhooks).not.toHaveHandled({ action: 'update' })
    expect(webhooks).not.toHaveHandled({ action: 'delete' })
    expect(() => expect(webhooks).toHaveHandled({ scope: 'discussion' })).toThrow(
      /to have handled \{"scope":"discussion"\}; it received:\n.*"action":"create"/,
    )
  })
})
