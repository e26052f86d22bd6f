import { describe, expect, test, vi } from 'vitest'
import { broaden, isEvent, type UnknownPayload } from '../../../server/receiver/index.ts'
import { fixture, receive } from '../../../server/receiver/testing.ts'
import { quietWebhooks } from './kit.ts'

function unknown(scope: string, from: Parameters<typeof fixture>[0]): UnknownPayload {
  return { ...fixture(from), event: { scope, action: 'create' } }
}

const knownSecret = { secret: 'abc' }

describe('broaden', () => {
  test.each([
    ['repo.secrets', 'repo.update', 'repo'],
    ['repo.content.lfs', 'repo.content.update', 'repo.content'],
    ['repo.content.lfs', 'repo.update', 'repo.content'],
    ['repo.content.lfs.pointer', 'repo.update', 'repo.content'],
    ['discussion.reaction', 'discussion.update', 'discussion'],
    ['discussion.comment.reaction', 'discussion.comment.create', 'discussion.comment'],
    ['discussion.comment.reaction', 'discussion.update', 'discussion.comment'],
  ] as const)('treats %s with the fields of %s as an update of %s', (scope, from, broader) => {
    expect(broaden(unknown(scope, from))?.event).toEqual({ scope: broader, action: 'update' })
  })

  test('leaves known events unchanged', () => {
    const payload = fixture('discussion.comment.create')
    expect(broaden(payload)).toBe(payload)
  })

  test.each(['bucket.content', 'toString', ''])('knows no broader event of "%s"', (scope) => {
    expect(broaden(unknown(scope, 'repo.update'))).toBeUndefined()
  })
})

describe('isEvent', () => {
  test('matches by scope, and by scope and action', () => {
    const payload = fixture('discussion.comment.create')
    expect(isEvent(payload, 'discussion.comment')).toBe(true)
    expect(isEvent(payload, 'discussion.comment.create')).toBe(true)
    expect(isEvent(payload, 'discussion.comment.update')).toBe(false)
    expect(isEvent(payload, 'discussion')).toBe(false)
  })
})

describe('on()', () => {
  test('runs every handler of the event, of its scope, and of the broader scope if unknown', async () => {
    const { webhooks } = quietWebhooks()
    const heard: string[] = []
    const note = (name: string) => () => void heard.push(name)
    webhooks.on('repo', note('repo'))
    webhooks.on('repo.update', note('repo.update'))
    webhooks.on('repo.content', note('repo.content'))
    webhooks.on('discussion.create', note('discussion.create'))
    const answers = [
      await receive(webhooks, fixture('repo.content.update'), knownSecret),
      await receive(webhooks, unknown('repo.secrets', 'repo.update'), knownSecret),
      await receive(webhooks, fixture('discussion.delete'), knownSecret),
      await receive(webhooks, unknown('bucket', 'repo.update'), knownSecret),
    ]
    expect(heard).toEqual(['repo.content', 'repo', 'repo.update'])
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
      { handled: 1 },
      { handled: 2 },
      { handled: 0 },
      { handled: 0 },
    ])
  })

  test('waits for every handler before it reports a failure', async () => {
    const { webhooks, log } = quietWebhooks()
    const other = vi.fn<() => void>()
    webhooks.on('repo.create', () => {
      throw new Error('no space left')
    })
    webhooks.on('repo.create', other)
    const answer = await receive(webhooks, fixture('repo.create'), knownSecret)
    expect(answer.status).toBe(500)
    expect(other).toHaveBeenCalledOnce()
    const cause = log.error.mock.calls[0]?.[1] as AggregateError
    expect(cause.errors).toEqual([new Error('no space left')])
  })

  test('refuses events that the Hub does not send', () => {
    const { webhooks } = quietWebhooks()
    expect(() => webhooks.on('repo.contnet' as 'repo', () => undefined)).toThrow(/repo\.content/)
  })
})
