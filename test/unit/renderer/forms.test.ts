import { describe, expect, test } from 'vitest'
import { describeFault, describeMatch } from '../../../renderer/shared/fault-text.ts'
import {
  changeOf,
  creationOf,
  emptyWebhookForm,
  webhookFormOf,
} from '../../../renderer/features/webhooks/model/webhook-form.ts'
import { omitUndefined } from '../../../renderer/lib/omit-undefined.ts'
import { prettyJson } from '../../../renderer/lib/pretty-json.ts'
import type { WebhookItem } from '../../../server/contract/control-webhooks.ts'

const webhook = {
  id: 'w1',
  owner: { id: 'u1', username: 'alice', avatarUrl: '' },
  target: 'http://localhost:9/hook',
  url: 'http://localhost:9/hook',
  name: 'retrain',
  watched: [{ type: 'org', name: 'acme' }],
  domains: ['repo', 'discussion'],
  secret: 's3cret',
  order: 'ordered',
  acceptSelfSigned: true,
} as unknown as WebhookItem

const job = {
  dockerImage: 'python:3.12',
  command: ['python', 'a b.py'],
  arguments: ['--fast'],
  environment: { A: '1' },
  flavor: 'cpu-basic',
}
const { url: _url, ...withoutUrl } = webhook
const jobWebhook = { ...withoutUrl, job } as unknown as WebhookItem

describe('the form of a webhook', () => {
  test.each([webhook, jobWebhook])('what is saved untouched changes nothing', (opened) => {
    expect(changeOf(webhookFormOf(opened), opened)).toEqual({})
  })

  test('what is not touched is not said: it stays as others made it meanwhile', () => {
    const form = { ...webhookFormOf(webhook), order: 'parallel' as const }
    expect(changeOf(form, webhook)).toEqual({ order: 'parallel' })
  })

  test('what is typed and not added yet is watched, too, and once', () => {
    const form = webhookFormOf(webhook)
    const watchedWith = (name: string) =>
      changeOf({ ...form, adding: { type: 'org', name } }, webhook).watched
    expect(watchedWith(' labs ')).toEqual([...webhook.watched, { type: 'org', name: 'labs' }])
    expect(watchedWith('acme')).toBeUndefined()
    expect(watchedWith(' ')).toBeUndefined()
  })

  test('a name and a secret that are emptied are taken away; a new one has none', () => {
    const form = { ...webhookFormOf(webhook), name: '', secret: '' }
    expect(changeOf(form, webhook)).toMatchObject({ name: null, secret: null })
    const creation = creationOf({ ...form, user: 'alice' })
    expect(creation).toMatchObject({ owner: 'alice', url: webhook.url })
    expect(creation).not.toHaveProperty('name')
    expect(creation).not.toHaveProperty('secret')
  })

  test('the user that the receiver acts as is given, changed and taken away', () => {
    const acting = { ...webhook, actsAs: 'bob' }
    const form = webhookFormOf(acting)
    expect(changeOf(form, acting)).toEqual({})
    expect(changeOf({ ...form, actsAs: 'carol' }, acting)).toEqual({ actsAs: 'carol' })
    expect(changeOf({ ...form, actsAs: '' }, acting)).toEqual({ actsAs: null })
    expect(creationOf(form)).toMatchObject({ actsAs: 'bob' })
    expect(creationOf({ ...form, actsAs: '' })).not.toHaveProperty('actsAs')
  })

  test('a new one listens to everything, at the address that led to it', () => {
    const form = emptyWebhookForm('http://localhost:3000/hook')
    expect(creationOf({ ...form, user: 'bob', watched: [] })).toEqual({
      owner: 'bob',
      url: 'http://localhost:3000/hook',
      watched: [],
      domains: ['repo', 'discussion'],
      order: 'parallel',
      acceptSelfSigned: false,
    })
  })

  test('a domain that is not ticked is not listened to', () => {
    const form = { ...webhookFormOf(webhook), repo: false }
    expect(changeOf(form, webhook).domains).toEqual(['discussion'])
  })

  test('a job keeps what the form does not show, and its words with spaces', () => {
    expect(webhookFormOf(jobWebhook)).toMatchObject({
      target: 'job',
      image: 'python:3.12',
      command: 'python a b.py --fast',
    })
    const form = { ...webhookFormOf(jobWebhook), image: 'python:3.13' }
    expect(changeOf(form, jobWebhook).job).toEqual({ ...job, dockerImage: 'python:3.13' })
  })

  test('a command that is typed anew is split at its spaces', () => {
    const form = { ...webhookFormOf(jobWebhook), command: '  node  run.js ' }
    expect(changeOf(form, jobWebhook).job).toEqual({
      ...job,
      command: ['node', 'run.js'],
      arguments: [],
    })
  })

  test('a Space takes the place of an image, and an image that of a Space', () => {
    const toSpace = changeOf(
      { ...webhookFormOf(jobWebhook), image: 'space:alice/demo' },
      jobWebhook,
    )
    expect(toSpace.job).toMatchObject({ spaceId: 'alice/demo', command: job.command })
    expect(toSpace.job).not.toHaveProperty('dockerImage')
    const spaceWebhook = { ...withoutUrl, job: { spaceId: 'alice/demo' } } as unknown as WebhookItem
    expect(webhookFormOf(spaceWebhook).image).toBe('space:alice/demo')
    const form = { ...webhookFormOf(spaceWebhook), image: 'node:22' }
    expect(changeOf(form, spaceWebhook).job).toEqual({ dockerImage: 'node:22' })
  })

  test('an address takes the place of a job, and a job that of an address', () => {
    const form = webhookFormOf(jobWebhook)
    const called = changeOf({ ...form, target: 'url', url: 'http://localhost:1' }, jobWebhook)
    expect(called).toMatchObject({ url: 'http://localhost:1' })
    expect(called).not.toHaveProperty('job')
    const run = changeOf({ ...webhookFormOf(webhook), target: 'job', image: 'node:22' }, webhook)
    expect(run).toMatchObject({ job: { dockerImage: 'node:22' } })
    expect(run).not.toHaveProperty('url')
  })
})

describe('a fault in words', () => {
  test.each([
    [{ delay: '5s', times: 3 }, 'delay by 5s (3×)'],
    [{ break: 'reset' as const }, 'drop the connection'],
    [{ break: 'truncate' as const }, 'truncate the body'],
    [{ break: 'html' as const, skip: 2 }, 'respond with a proxy error page (after 2)'],
    [{ oauthError: 'invalid_grant', skip: 1, times: 1 }, 'refuse with invalid_grant (after 1, 1×)'],
    [{ status: 503, body: null }, 'respond with 503, replace the body'],
    [{ set: { a: 1 } }, 'change the JSON'],
    [{ remove: ['a'], set: { b: 1 } }, 'change the JSON'],
    [{ headers: { a: 'b' }, idToken: { kid: 'x' } }, 'set headers, change the ID token'],
    [{}, 'nothing'],
  ])('%o', (fault, words) => {
    expect(describeFault({ match: {}, ...fault })).toBe(words)
  })

  test.each([
    [{}, 'any route'],
    [{ route: '/oauth/token' }, '/oauth/token'],
    [{ route: '/api/*', method: 'POST' }, 'POST /api/*'],
    [
      { route: '/oauth/token', grantType: 'refresh_token', clientId: 'c1' },
      '/oauth/token grant refresh_token c1',
    ],
    [{ webhookId: '*' }, 'deliveries of any webhook'],
    [{ webhookId: 'w1' }, 'deliveries of w1'],
  ])('of %o', (match, words) => {
    expect(describeMatch(match)).toBe(words)
  })
})

describe('JSON to look at', () => {
  test('is indented; what is none stays as it came, with the place', () => {
    expect(prettyJson('{"a":[1]}')).toEqual({ text: '{\n  "a": [\n    1\n  ]\n}' })
    expect(prettyJson(' \n')).toEqual({ text: '' })
    const torn = prettyJson('{\n  "a": 1,\n}')
    expect(torn).toMatchObject({ text: '{\n  "a": 1,\n}', line: 3, column: 1 })
    expect(torn.error).toBeTruthy()
  })

  test('an end without a place is told without one', () => {
    const { error, line } = prettyJson('{"a":')
    expect(error).toBeTruthy()
    expect(line === undefined || line === 1).toBe(true)
  })
})

test('what is undefined is left out; null, false and nothing typed stay', () => {
  const given = { a: undefined, b: null, c: false, d: '', e: 0 }
  expect(Object.entries(omitUndefined(given))).toEqual([
    ['b', null],
    ['c', false],
    ['d', ''],
    ['e', 0],
  ])
})
