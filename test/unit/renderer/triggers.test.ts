import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  edgeCases,
  fromRequest,
  toRequest,
} from '../../../renderer/features/triggers/model/draft.ts'
import { eventGroups } from '../../../renderer/features/triggers/model/event-groups.ts'
import {
  readLastTriggers,
  rememberTrigger,
} from '../../../renderer/features/triggers/model/last-triggers.ts'
import { fuzzyMatch } from '../../../renderer/lib/fuzzy.ts'
import { preferredRepo } from '../../../renderer/lib/preferred-repo.ts'
import { repoAddress } from '../../../renderer/lib/repo-address.ts'
import {
  describeDeliveries,
  describeEvents,
  linkToDeliveries,
} from '../../../renderer/shared/trigger-outcome.ts'
import type { EventDescription, TriggerRequest } from '../../../server/contract/control-events.ts'

const description = {
  event: 'discussion.comment.create',
  scope: 'discussion.comment',
  action: 'create',
  title: 'A comment',
  kinds: [],
  fields: [
    { path: 'comment.content', type: 'string', description: 'Text' },
    { path: 'comment.hidden', type: 'boolean', description: 'Hidden' },
  ],
} satisfies EventDescription

const draft = {
  event: 'repo.content',
  kind: '',
  repo: 'datasets/acme/corpus',
  mode: 'do' as const,
  changes: [],
  times: '1',
}

describe('the form of a trigger', () => {
  test('what is left as it was is not asked for', () => {
    expect(toRequest(draft, undefined)).toEqual({
      event: 'repo.content',
      repo: 'datasets/acme/corpus',
    })
  })

  test.each(['0', '1', '-3', '2.5', 'many', ''])('%o times is once', (times) => {
    expect(toRequest({ ...draft, times }, undefined)).not.toHaveProperty('repeat')
  })

  test('values are read as the field has them: text stays text, else JSON if it is some', () => {
    const change = (path: string, value: string, id: number) => ({
      id,
      path,
      value,
      remove: false,
    })
    const changes = [
      change('comment.content', '42', 0),
      change('comment.hidden', 'true', 1),
      change('comment.extra', '{"a":[1]}', 2),
      change('comment.other', 'just words', 3),
      change('', 'no path yet', 4),
    ]
    expect(toRequest({ ...draft, changes }, description).overrides).toEqual({
      'comment.content': '42',
      'comment.hidden': true,
      'comment.extra': { a: [1] },
      'comment.other': 'just words',
    })
  })

  test('a request that is taken up again is the same request', () => {
    const request: TriggerRequest = {
      event: 'discussion.comment',
      kind: 'reply',
      repo: 'models/alice/a',
      mode: 'send',
      overrides: { 'comment.content': '17', 'comment.hidden': false },
      remove: ['discussion.url'],
      repeat: { times: 5 },
    }
    expect(toRequest(fromRequest(request), description)).toEqual(request)
    const least = { event: 'repo', repo: 'models/alice/a' }
    expect(toRequest(fromRequest(least), undefined)).toEqual(least)
  })

  test('every edge case changes or removes something', () => {
    for (const { title, changes } of edgeCases) {
      const numbered = changes.map((change, id) => ({ remove: false, ...change, id }))
      const { overrides = {}, remove = [] } = toRequest(
        { ...draft, changes: numbered },
        description,
      )
      expect([title, Object.keys(overrides).length + remove.length]).toEqual([
        title,
        changes.length,
      ])
    }
  })
})

describe('what can be caused, as a list to choose from', () => {
  const push = {
    ...description,
    event: 'repo.content.update',
    scope: 'repo.content',
    title: 'Content',
    kinds: [
      { kind: 'push', title: 'A push', sideEvents: [] },
      { kind: 'pull-request-merge', title: 'A merge', sideEvents: [] },
    ],
  }
  const last = [{ event: 'repo.content', kind: 'push', repo: 'models/alice/a' }]

  test('has a line for each cause, by scope, the last used on top', () => {
    const groups = eventGroups([push, description], last, () => {})
    expect(groups.map(({ title, items }) => [title, items.map(({ label }) => label)])).toEqual([
      ['Last used', ['repo.content push']],
      ['repo.content', ['A push', 'A merge']],
      ['discussion.comment', ['A comment']],
    ])
  })

  test('chooses the request that was used, or the event with its cause', () => {
    const choose = vi.fn<(choice: unknown) => void>()
    const groups = eventGroups([push, description], last, choose)
    for (const { items } of groups) for (const item of items) item.run()
    expect(choose.mock.calls.map(([choice]) => choice)).toEqual([
      { request: last[0] },
      { event: 'repo.content.update', kind: 'push' },
      { event: 'repo.content.update', kind: 'pull-request-merge' },
      { event: 'discussion.comment.create', kind: '' },
    ])
  })

  test.each([
    ['pr merge', 'A merge'],
    ['push', 'A push'],
    ['comment', 'A comment'],
  ])('people find it by %o', (query, label) => {
    const items = eventGroups([push, description], [], () => {}).flatMap(({ items }) => items)
    const found = items.filter((item) => fuzzyMatch(query, `${item.label} ${item.words}`))
    expect(found.map((item) => item.label)).toContain(label)
  })

  test('is without the last used ones where nothing was', () => {
    expect(eventGroups([push], [], () => {}).map(({ title }) => title)).toEqual(['repo.content'])
  })
})

describe('finding by letters', () => {
  test.each([
    ['', 'Anything', true],
    ['tok', 'Tokens', true],
    ['TOKENS', 'tokens', true],
    ['tks', 'Tokens', false],
    ['ks', 'Tokens', false],
    ['ns', 'Tokens', true],
    ['audit log', 'Audit log of acme', true],
    ['log audit', 'Audit log of acme', true],
    ['snt', 'Tokens', false],
    ['pr open', 'Open a pull request discussion.create pr', true],
    ['opnpr', 'Open a pull request', false],
    ['oppr', 'Open a pull request', true],
    ['opuop', 'Open a pull request', false],
    ['mint', 'Open the commit in the timeline', false],
    ['pt', 'Push a commit to main', false],
  ])('%o in %o: %o', (query, text, found) => {
    expect(fuzzyMatch(query, text)).toBe(found)
  })
})

describe('the last triggers', () => {
  const stored = new Map<string, string>()
  beforeEach(() => {
    stored.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    })
  })
  const request = (repo: string): TriggerRequest => ({ event: 'repo.content', repo })

  test('are kept newest first, each once, five of them', () => {
    for (const name of ['a', 'b', 'c', 'a', 'd', 'e', 'f']) rememberTrigger(request(name))
    expect(readLastTriggers().map(({ repo }) => repo)).toEqual(['f', 'e', 'd', 'a', 'c'])
  })

  test.each(['{', '{}', '[1]', '[{"event":"repo"}]', 'null'])(
    'are none where somebody wrote %s there',
    (text) => {
      stored.set('hub-sandbox-last-triggers', text)
      expect(readLastTriggers()).toEqual([])
      rememberTrigger(request('a'))
      expect(readLastTriggers()).toEqual([request('a')])
    },
  )
})

describe('the repo that is suggested', () => {
  const model = { type: 'model', name: 'alice/a' }
  const dataset = { type: 'dataset', name: 'acme/corpus' }
  const other = { type: 'dataset', name: 'bob/notes' }
  const watching = (type: string, name: string, status = 'enabled') => ({
    status,
    watched: [{ type, name }],
  })

  test.each([
    ['a dataset, where nobody listens', [], dataset],
    ['a dataset that somebody hears of', [watching('user', 'bob')], other],
    ['what is heard of, where no dataset is', [watching('model', 'alice/a')], model],
    ['not for one that is off', [watching('user', 'bob', 'disabled')], dataset],
    ['not by the beginning of a name', [watching('user', 'bo')], dataset],
    ['not by a name of another type', [watching('space', 'alice/a')], dataset],
  ])('is %s', (_, webhooks, wanted) => {
    expect(preferredRepo([model, dataset, other], webhooks)).toBe(wanted)
  })

  test('is any at all, or none', () => {
    expect(preferredRepo([model], [])).toBe(model)
    expect(preferredRepo([], [watching('user', 'bob')])).toBeUndefined()
  })

  test('is named with its type', () => {
    expect(repoAddress(dataset)).toBe('datasets/acme/corpus')
  })
})

describe('what a trigger caused, in words', () => {
  const name = (id: string) => `hook ${id}`
  const event = { id: 'e', scope: 'repo', action: 'create' } as never
  const sentTo = (...ids: string[]) =>
    ids.map((webhookId) => ({ id: 'd', eventId: 'e', webhookId }))

  test('one event by its name, several by their number', () => {
    expect(describeEvents({ events: [event] })).toBe('Triggered repo · create')
    expect(describeEvents({ events: [event, event] })).toBe('Triggered 2 events')
  })

  test('deliveries with those that were skipped beside them', () => {
    const skipped = [{ eventId: 'e', webhookId: 'w', reason: 'disabled' as const }]
    const sent = sentTo('1', '1')
    expect(describeDeliveries({ deliveries: sent, skipped: [] }, name)).toBe(
      '2 deliveries to hook 1',
    )
    expect(describeDeliveries({ deliveries: sent, skipped }, name)).toBe(
      '2 deliveries to hook 1, 1 skipped',
    )
  })

  test.each([
    [['1'], '1 delivery to hook 1'],
    [['1', '2'], '2 deliveries to hook 1 and hook 2'],
    [['1', '2', '3'], '3 deliveries to hook 1, hook 2 and hook 3'],
    [['1', '2', '3', '4'], '4 deliveries to hook 1, hook 2 and 2 others'],
  ])('deliveries name who receives them: %j', (ids, text) => {
    expect(describeDeliveries({ deliveries: sentTo(...ids), skipped: [] }, name)).toBe(text)
  })

  test('a long list of names or reasons is cut', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `${index}`.repeat(70))
    const skipped = many.map((webhookId) => ({
      eventId: 'e',
      webhookId,
      reason: 'disabled' as const,
    }))
    const sent = describeDeliveries({ deliveries: sentTo(...many), skipped: [] }, name)
    expect(sent).toMatch(/ and 998 others$/)
    expect(sent.length).toBeLessThan(200)
    const none = describeDeliveries({ deliveries: [], skipped }, name)
    expect(none).toMatch(/; and 997 others\.$/)
    expect(none.length).toBeLessThan(300)
  })

  test('the link leads to exactly these deliveries, or to the skipped ones', () => {
    const none = { deliveries: [], skipped: [] }
    expect(linkToDeliveries(none)).toBeUndefined()
    expect(linkToDeliveries({ ...none, deliveries: sentTo('1', '2') })).toEqual({
      href: '/deliveries?q=event:e',
      label: 'Show these deliveries',
    })
    const skipped = [{ eventId: 'e', webhookId: 'w', reason: 'disabled' as const }]
    expect(linkToDeliveries({ ...none, skipped })?.href).toBe('/deliveries?skipped')
    const many = Array.from({ length: 101 }, (_, index) => ({
      id: 'd',
      webhookId: 'w',
      eventId: `e${index}`,
    }))
    expect(linkToDeliveries({ ...none, deliveries: many })?.href).toBe('/deliveries')
  })

  test('nothing delivered says why, each reason once', () => {
    expect(describeDeliveries({ deliveries: [], skipped: [] }, name)).toBe(
      'Nothing was delivered: there are no webhooks.',
    )
    const skipped = [
      { eventId: 'e', webhookId: '1', reason: 'disabled' as const },
      { eventId: 'e', webhookId: '1', reason: 'disabled' as const },
      { eventId: 'e', webhookId: '2', reason: 'quota-exceeded' as const },
    ]
    expect(describeDeliveries({ deliveries: [], skipped }, name)).toBe(
      'Nothing was delivered: hook 1 is disabled; hook 2 has used its quota for the last 24 hours.',
    )
  })
})
